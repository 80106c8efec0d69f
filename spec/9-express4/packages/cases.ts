/** Creates the requests and applications of `packages.spec.ts`. Half of the values are a table, half are drawn. */
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { inspect } from 'node:util';
import fc from 'fast-check';
import type express4 from 'nozomi/4';
import type { Request } from '../../../parity/client/messages';
import { raw } from '../../../parity/client/request';
import { seed } from '../../support/properties';

export type Framework = typeof express4;
export type Call = (req: express4.Request, res: express4.Response) => unknown;
export type Headers = Readonly<Record<string, string>>;

/** Requests to one application, by the packages of Express 4 that they reach. */
export interface Area {
  readonly packages: string;
  build(framework: Framework): RequestListener;
  readonly requests: readonly Request[];
}

/** What a call returns if it responds later. */
export const LATER: unique symbol = Symbol('later');

export const FILES: string = join(__dirname, '..', '..', '..', 'fixtures', 'express4');

const lists = new Map<string, string[]>();
for (const part of readFileSync(join(__dirname, 'values.txt'), 'utf8').split('\n\n# ').slice(1)) {
  const [name = '', ...lines] = part.trimEnd().split('\n');
  lists.set(name, lines.map(readLine));
}

function readLine(line: string): string {
  if (line === '(empty)') return '';
  return line.replace(/\\(?:x(..)|u(....)|\\)/g, (_match, byte: string, unit: string) =>
    byte || unit ? String.fromCharCode(Number.parseInt(byte ?? unit, 16)) : '\\',
  );
}

/** Returns a list of values.txt. */
export function values(name: string): string[] {
  const list = lists.get(name);
  if (!list) throw new TypeError(`values.txt has no list "${name}"`);
  return list;
}

/** Draws texts that join some of the pieces in any order. */
export function drawn(pieces: readonly string[], count: number): string[] {
  const text = fc
    .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 })
    .map((parts) => parts.join('').trim());
  return draw(text, count);
}

export function draw<T>(arbitrary: fc.Arbitrary<T>, numRuns: number): T[] {
  return fc.sample(arbitrary, seed === undefined ? { numRuns } : { seed, numRuns });
}

export function hit(target: string, headers: Headers = {}, method = 'GET'): Request {
  return raw(headOf(method, target, headers));
}

export function send(target: string, headers: Headers, body: Buffer): Request {
  const length = 'Transfer-Encoding' in headers ? {} : { 'Content-Length': `${body.length}` };
  const head = headOf('POST', target, { ...headers, ...length });
  return raw(Buffer.concat([Buffer.from(head, 'latin1'), body]));
}

function headOf(method: string, target: string, headers: Headers): string {
  const lines = Object.entries({ Host: 'h', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Creates an application whose errors are not printed. */
export function application(framework: Framework): express4.Express {
  const app = framework().disable('x-powered-by');
  app.set('env', 'test');
  return app;
}

/** Responds with the members of an error. */
export const showError: express4.ErrorRequestHandler = (err, _req, res, _next) => {
  const { stack: _stack, ...members } = Object(err);
  if (!res.headersSent) res.statusCode = err.status || 500;
  res.end(`${err}\n${inspect(members, { depth: 3 })}`);
};

/** Formats the results of calls, one per line. If a call throws, the line is its error. */
export function shown(...calls: ReadonlyArray<() => unknown>): string {
  return calls
    .map((call) => {
      try {
        return inspect(call(), { depth: 9 });
      } catch (error) {
        // These messages of V8 name an expression of the source.
        return String(error).replace(/(Cannot read properties of \w+).*|\S+ is not a function/, '$1');
      }
    })
    .join('\n');
}

/** Each call has a request of its own. Unless it responds, the response is its result. */
export function callArea(packages: string, calls: readonly Call[], headers: Headers = {}): Area {
  return {
    packages,
    build(framework) {
      const app = application(framework);
      app.get('/:index', (req, res) => {
        let returned: unknown;
        const text = shown(() => {
          returned = calls[Number(req.params.index)]?.(req, res);
          return returned === res ? 'the response' : returned;
        });
        if (!res.headersSent && returned !== LATER) res.end(text);
      });
      app.use(showError);
      return app;
    },
    requests: calls.map((_call, index) => hit(`/${index}`, headers)),
  };
}

/** Calls a member with arguments of any type. */
export function calling(member: string, ...args: readonly unknown[]): Call {
  return (_req, res) => Reflect.get(res, member).apply(res, args);
}
