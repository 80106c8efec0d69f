/**
 * The time for what clients send: of each regular expression in src/, and of applications that read each header, path,
 * query and body. A new expression is measured without a change here.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@babel/parser';
import { expect } from 'chai';
import nozomi from 'nozomi';
import nozomi3 from 'nozomi/3';
import nozomi4 from 'nozomi/4';
import { context } from 'nozomi/extras';
import { toFetch } from 'nozomi/fetch';
import { cpuOf, cpuOfAsync } from '../support/cost';

const SRC = join(__dirname, '..', '..', 'src');

/** What the texts repeat. */
// biome-ignore format: a table
const PIECES = [
  'a', '0', ' ', '\t', '/', '.', '-', ',', ';', '=', ':', '"', '\\', '%', '(', '[', '{', '<', '&', '?', '#', '*', '; ', ' ,',
  'a ', 'a.', 'a=', 'a,', '%20', '[]', 'a;q=', '"",', '""\\',
];

/** The length of the shortest text. */
const LENGTH = 4096;

/** Milliseconds for the longest text below which nothing else is measured. */
const QUICK = 15;

/**
 * Returns the CPU milliseconds for texts of one, two and four times a length, if they grow like the square of the length;
 * else undefined. In quadratic time, four times the length takes sixteen times as long.
 */
async function growth(cost: (text: string) => Promise<number>, textOf: (length: number) => string) {
  const least = async (length: number, runs = 3): Promise<number> => {
    let shortest = Number.POSITIVE_INFINITY;
    for (let run = 0; run < runs; run++) shortest = Math.min(shortest, await cost(textOf(length)));
    return shortest;
  };
  if ((await least(4 * LENGTH, 1)) < QUICK) return undefined;
  const costs = [await least(LENGTH), await least(2 * LENGTH), await least(4 * LENGTH)] as const;
  return costs[2] > Math.max(QUICK, 8 * costs[0]) ? costs : undefined;
}

interface Expression {
  /** The file and the expression, without flags. */
  readonly name: string;
  readonly regexp: RegExp;
  readonly pattern: string;
}

function expressionsOf(file: string, code: string): Expression[] {
  const { tokens } = parse(code, { sourceType: 'module', plugins: ['typescript'], tokens: true });
  return (tokens ?? [])
    .filter(({ type }) => type.label === 'regexp')
    .map(({ value: { pattern, flags } }) => ({
      name: `${file} /${pattern}/`,
      regexp: new RegExp(pattern, flags),
      pattern,
    }));
}

/** Returns the names of the expressions in quadratic time. */
async function slow(expressions: readonly Expression[]): Promise<string[]> {
  const found = [];
  for (const { name, regexp, pattern } of expressions) {
    const cost = async (text: string): Promise<number> =>
      cpuOf(() => {
        regexp.lastIndex = 0;
        if (regexp.global) text.replace(regexp, '');
        else regexp.exec(text);
      });
    if (await slowest(cost, pattern.match(/[A-Za-z]{2,}|[^\\()[\]{}?*+|^$]/g) ?? [])) found.push(name);
  }
  return found;
}

/** Returns the first text in quadratic time with its costs, if there is one. */
async function slowest(cost: (text: string) => Promise<number>, own: readonly string[] = []) {
  for (const piece of new Set([...PIECES, ...own])) {
    const costs = await growth(cost, (length) => `x${piece.repeat(length / piece.length)}x`);
    if (costs) return `x${piece}…x: ${costs.join(', ')} ms`;
  }
  return undefined;
}

const all = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.d)\.ts$/.test(file))
  .flatMap((file) => expressionsOf(file.replaceAll('\\', '/'), readFileSync(join(SRC, file), 'utf8')));

describe('regular expressions in src/', () => {
  it('take linear time', async () => {
    expect(all.length).to.be.above(80);
    expect(await slow(all)).to.deep.equal([]);
  });

  it('are found if they take quadratic time', async () => {
    const code = String.raw`[/^[ \t]+|[ \t]+$/g, /\s*,/, /a.*b/, /(?<!\s)\s*,/]`;
    expect(await slow(expressionsOf('planted.ts', code))).to.have.lengthOf(3);
  });
});

type Handler = (req: nozomi.Request, res: nozomi.Response, next: (err?: unknown) => void) => void;
interface Application {
  use(...handlers: unknown[]): unknown;
  get(path: string, handler: Handler): unknown;
  set(name: string, value: unknown): unknown;
}
interface Framework {
  (): Application;
  json(): Handler;
  urlencoded(options: object): Handler;
  static(root: string, options?: object): Handler;
}
interface Framework3 extends Framework {
  cookieSession(options: object): Handler;
  multipart(): Handler;
}

/** Reads whatever a client sends, and sends it back in each way. An error ends one way, not the others. */
function readAll(req: nozomi.Request, res: nozomi.Response): void {
  const attempt = (run: () => unknown): void => {
    try {
      run();
    } catch {
      // The spec measures only the time.
    }
  };
  attempt(() => [req.ip, req.ips, req.host, req.hostname, req.subdomains, req.protocol, req.secure, req.xhr]);
  attempt(() => [req.accepts(), req.accepts('html', 'json'), req.acceptsLanguages('en')]);
  attempt(() => [req.acceptsEncodings('gzip'), req.acceptsCharsets('utf-8')]);
  attempt(() => [
    req.is('html'),
    req.is(['*/json', 'urlencoded']),
    req.range(1e6),
    req.range(1e6, { combine: true }),
  ]);
  attempt(() => req.query);
  res.set({ ETag: '"a"', 'Last-Modified': 'Thu, 01 Jan 2026 00:00:00 GMT' });
  attempt(() => req.fresh);
  const texts = [req.get('X-Text'), req.params?.text, req.query.text, req.body?.text, req.body];
  for (const text of texts.filter((one) => typeof one === 'string')) {
    attempt(() => res.set('X-Echo', text).append('X-Echo', ` ${text} `));
    attempt(() => res.cookie('a', text));
    attempt(() => res.vary(text));
    attempt(() => res.location(text));
    attempt(() => res.links({ next: text }));
    attempt(() => res.attachment(text));
    attempt(() => res.type(text));
  }
  attempt(() => res.jsonp({ texts }));
  // If that was an error.
  res.end();
}

function application(framework: Framework): (request: Request) => Promise<Response> {
  const app = framework();
  for (const [name, value] of [
    ['env', 'test'],
    ['trust proxy', true],
  ] as const)
    app.set(name, value);
  app.use(nozomi.logger('combined', { stream: { write: () => undefined } }));
  app.use(context({ requestIdHeader: 'X-Request-Id' }));
  if (isExpress3(framework)) {
    app.use(framework.cookieSession({ secret: 'a', proxy: true, cookie: { secure: true } }));
    app.use(framework.multipart());
  }
  app.use(framework.static(__dirname));
  app.use(framework.json());
  app.use(framework.urlencoded({ extended: true }));
  app.use(nozomi.text());
  const handler: Handler = (req, res) => readAll(req, res);
  app.get('/to/:text', handler);
  app.use(handler);
  app.use((_err: unknown, _req: unknown, res: nozomi.Response, _next: unknown) => void res.end());
  return toFetch(app as never);
}

function isExpress3(framework: Framework): framework is Framework3 {
  return framework === (nozomi3 as unknown);
}

/** Ways in which a client sends a text. */
const SENT: Readonly<Record<string, (text: string) => [path: string, init: RequestInit]>> = {
  'a path': (text) => [`/${text}`, {}],
  'a parameter': (text) => [`/to/${encodeURIComponent(text)}`, {}],
  'a query': (text) => [`/?${text}`, {}],
  'a value of a query': (text) => [
    `/?text=${encodeURIComponent(text)}&callback=${encodeURIComponent(text)}`,
    {},
  ],
  'a body as text': (text) => ['/', body('text/plain', text)],
  'a body as JSON': (text) => ['/', body('application/json', `{"text":${text}`)],
  'a value in JSON': (text) => ['/', body('application/json', JSON.stringify({ text }))],
  'an urlencoded body': (text) => ['/', body('application/x-www-form-urlencoded', text)],
  'a multipart body': (text) => [
    '/',
    body(
      'multipart/form-data; boundary=a',
      `--a\r\nContent-Disposition: form-data; name=${text}\r\n\r\n${text}\r\n--a--`,
    ),
  ],
  // Without quotes: negotiator, which Express uses too, counts all of them again for each comma.
  Accept: (text) => ['/', { headers: { Accept: text.replaceAll('"', "'") } }],
  ...Object.fromEntries(
    // biome-ignore format: a table
    [
      'Accept-Charset', 'Accept-Encoding', 'Accept-Language', 'Authorization', 'Cache-Control', 'Content-Type',
      'Cookie', 'If-Modified-Since', 'If-None-Match', 'If-Range', 'Range', 'Referer', 'Traceparent', 'User-Agent',
      'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Request-Id', 'X-Text',
    ].map((name) => [name, (text: string) => ['/', { ...body('text/plain', 'a'), headers: { [name]: text } }]] as const),
  ),
};

function body(type: string, text: string): RequestInit {
  return { method: 'POST', headers: { 'Content-Type': type }, body: text };
}

describe('what clients send', () => {
  for (const [name, framework] of Object.entries({ nozomi, 'nozomi/4': nozomi4, 'nozomi/3': nozomi3 })) {
    const send = application(framework as unknown as Framework);
    for (const [what, sent] of Object.entries(SENT))
      it(`${name} reads ${what} in linear time`, async () => {
        const cost = async (text: string): Promise<number> => {
          const [path, init] = sent(text);
          let request: Request;
          try {
            request = new Request(`http://127.0.0.1${path}`, init);
          } catch {
            return 0;
          }
          return cpuOfAsync(async () => void (await (await send(request)).arrayBuffer()));
        };
        expect(await slowest(cost)).to.equal(undefined);
      });
  }
});
