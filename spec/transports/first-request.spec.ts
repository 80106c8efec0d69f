import { IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import nozomi from 'nozomi';
import express3 from 'nozomi/3';
import express4 from 'nozomi/4';
import { playSteps } from '../../parity/client/exchange';
import { post } from '../../parity/client/request';
import { playOverHttp2 } from '../../parity/transports/http2-client';
import { serve } from '../../parity/transports/serve';
import { clientFor, TRANSPORTS, type Transport } from '../../parity/transports/transport';
import { toBytes } from '../support/both';
import { PATIENCE } from '../support/play';
import { serving } from '../support/serve';

type Members = Record<string, unknown>;
type Framework = typeof nozomi;
type Application = ReturnType<Framework>;
type Change = (app: Application) => void;

/** Sends the same request twice to a new server, over two connections. @returns The responses. */
async function playTwice(app: Application, transport: Transport): Promise<unknown[]> {
  const { isHttp2, isSecure } = clientFor(transport);
  const play = isHttp2 ? playOverHttp2 : playSteps;
  const steps = [post('/?a=b', { a: 1 }), post('/?a=b', { a: 1 })];
  const served = transport === 'listen' ? app : serve(app as never, transport, require);
  const exchanges = await serving(served as never, (port) =>
    play(steps, { port, isSecure, patience: PATIENCE }),
  );
  return exchanges.map((exchange) => toBytes(exchange).filter((line) => !/^date: /i.test(line)));
}

/** Values of Node.js's properties that an application may give to all its responses. */
const VALUES: Members = {
  statusCode: 202,
  statusMessage: 'Fine',
  sendDate: false,
  shouldKeepAlive: false,
  useChunkedEncodingByDefault: false,
  strictContentLength: true,
};

const PROTOTYPES = {
  request: [IncomingMessage, Readable],
  response: [ServerResponse, OutgoingMessage],
} as const;

/** @returns The names of Node.js's methods for a request or a response. */
function methodsOf(kind: keyof typeof PROTOTYPES): string[] {
  const names = PROTOTYPES[kind].flatMap(({ prototype }) =>
    Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { value }]) =>
      typeof value === 'function' && name !== 'constructor' ? [name] : [],
    ),
  );
  return [...new Set(names)];
}

/** Wraps a method of `app.request` or `app.response`. The message counts the calls in its property `calls`. */
function count(kind: keyof typeof PROTOTYPES, name: string): Change {
  return (app) => {
    const prototype = app[kind] as unknown as Record<string, (...args: unknown[]) => unknown>;
    const { [name]: method } = prototype;
    prototype[name] = function counted(this: Members & { calls?: number }, ...args: unknown[]) {
      this.calls = (this.calls ?? 0) + 1;
      return method?.apply(this, args);
    };
  };
}

/** @returns An application that responds with what it received, and with the own properties of its messages. */
function application(framework: Framework, change: Change): Application {
  const app = framework();
  app.set('env', 'test');
  app.use((req, res, next) => {
    const calls = (message: object): unknown => ('calls' in message ? message.calls : undefined);
    res.locals.calls = [calls(req), calls(res)];
    next();
  });
  app.use(framework.json());
  app.use((req, res) => {
    const names = [req, res].map((message) => Object.getOwnPropertyNames(message).sort());
    res.json({ body: req.body, query: req.query, url: req.url, calls: res.locals.calls, names });
  });
  change(app);
  return app;
}

const CHANGES: Readonly<Record<string, Change>> = {
  nothing: () => undefined,
  ...Object.fromEntries(
    Object.entries(VALUES).map(([name, value]) => [
      `app.response.${name} = ${value}`,
      (app: Application) => Object.assign(app.response, { [name]: value }),
    ]),
  ),
  ...Object.fromEntries(
    (['request', 'response'] as const).flatMap((kind) =>
      methodsOf(kind).map((name) => [`app.${kind}.${name}()`, count(kind, name)]),
    ),
  ),
};

/** Each entry point, with the transports that have code of their own for it. */
const PLAYED: ReadonlyArray<readonly [entry: string, Framework, readonly Transport[]]> = [
  ['nozomi', nozomi, TRANSPORTS],
  ['nozomi/4', express4 as unknown as Framework, ['listen', 'h2c', 'fetch']],
  ['nozomi/3', express3 as unknown as Framework, ['listen', 'h2c']],
];

describe('the first request to a server', () => {
  for (const [entry, framework, transports] of PLAYED) {
    for (const transport of transports) {
      it(`gets the same response as the second (${entry}, ${transport})`, async function () {
        this.timeout(300_000);
        const differing: unknown[] = [];
        for (const [name, change] of Object.entries(CHANGES)) {
          const [first, second] = await playTwice(application(framework, change), transport);
          if (JSON.stringify(first) !== JSON.stringify(second)) differing.push({ name, first, second });
        }
        expect(differing).to.deep.equal([]);
      });
    }
  }
});
