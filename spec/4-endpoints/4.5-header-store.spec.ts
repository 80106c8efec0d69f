import { OutgoingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import framework from 'nozomi';
import { playSteps } from '../../parity/client/exchange';
import { get, onOneConnection } from '../../parity/client/request';
import { type Bytes, play, toBytes } from '../support/both';
import { PATIENCE } from '../support/play';
import { close, serverOf } from '../support/serve';

/** A call of a header method: on the response, on a Proxy of it, or through the prototype of Node.js. */
interface Call {
  readonly by: 'res' | 'proxy' | 'runtime';
  readonly member: string;
  readonly args: readonly unknown[];
}
type Act = (res: ServerResponse) => unknown;
type Members = Record<string, (...args: unknown[]) => unknown>;

const runtime = ServerResponse.prototype as unknown as Members;

/** The UTF-8 bytes of a name as Latin-1 characters, as applications send file names. */
const LATIN = Buffer.from('日本').toString('latin1');

// biome-ignore format: a table
const name = fc.constantFrom(
  'X-A', 'x-a', 'X-B', 'x-c', 'Content-Type', 'ETag', 'Date', 'Set-Cookie', 'vary',
  'Content-Disposition', '12', '1', '1-x', '__proto__', 'toString',
  '', 'bad name', 'bäd', undefined, 7,
);
const text = fc.constantFrom('', 'one', 'two, three', 'grün', '€', 'a\r\nb: c', 'tab\t', ' ', LATIN);
const value = fc.oneof(
  text,
  fc.integer(),
  fc.array(text, { maxLength: 3 }),
  fc.constantFrom(Number.NaN, undefined, null, true),
);
const map = fc
  .dictionary(fc.constantFrom('x-a', 'X-D', 'set-cookie'), text)
  .map((some) => new Map(Object.entries(some)));
const by = fc.constantFrom('res', 'res', 'res', 'proxy');
const head = fc.constantFrom({ 'X-A': 'head', 'X-E': ['1', '2'] }, ['X-A', 'head', 'X-E', '5'], undefined);

const setting = fc.record({
  by: fc.oneof({ weight: 8, arbitrary: by }, fc.constant('runtime')),
  member: fc.constantFrom('setHeader', 'setHeader', 'setHeader', 'appendHeader'),
  args: fc.tuple(name, value),
});
// Packages set and remove headers through the prototype of Node.js.
const past = fc.record({
  by: fc.constant('runtime'),
  member: fc.constantFrom('setHeader', 'removeHeader'),
  args: fc.tuple(fc.constant('X-Past'), fc.constantFrom('one', 'two')),
});
const settingMany = fc.record({ by, member: fc.constant('setHeaders'), args: fc.tuple(map) });
const asking = fc.record({
  by,
  member: fc.constantFrom('getHeader', 'hasHeader', 'removeHeader'),
  args: fc.tuple(fc.oneof(name, fc.constantFrom('Content-Length', 'content-type'))),
});
const listing = fc.record({
  by,
  member: fc.constantFrom('getHeaders', 'getHeaderNames', 'getRawHeaderNames'),
  args: fc.constant([]),
});
const sending = fc.record({
  by,
  member: fc.constantFrom('writeHead', 'writeHead', 'writeHeader'),
  args: fc.oneof(
    fc.tuple(fc.constantFrom(200, 201, 404, 1000)),
    fc.tuple(fc.constant(200), fc.constantFrom('Fine', undefined, null)),
    fc.tuple(fc.constant(200), head),
    fc.tuple(fc.constant(200), fc.constant('Fine'), head),
  ),
});
const calls = fc.array(
  fc.oneof({ weight: 3, arbitrary: setting }, past, settingMany, asking, listing, sending),
  {
    maxLength: 12,
  },
) as fc.Arbitrary<Call[]>;

describe('the header store of a response', () => {
  const servers: Server[] = [];
  let act: Act;

  before(async () => {
    const app = framework();
    app.disable('x-powered-by');
    app.use((_req, res) => act(res));
    servers.push(await serverOf((_req, res) => act(res)), await serverOf(app));
  });

  after(async () => {
    for (const server of servers) await close(server);
  });

  /** Sends requests to a server of Node.js and to an application of this package. @returns The bytes of each. */
  async function responsesOf(...acts: Act[]): Promise<[expected: Bytes[], actual: Bytes[]]> {
    const all: Bytes[][] = [];
    for (const server of servers) {
      const left = [...acts];
      act = (res) => (left.shift() as Act)(res);
      const { port } = server.address() as AddressInfo;
      const steps = [onOneConnection(...acts.map(() => get('/')))];
      all.push((await playSteps(steps, { port, patience: PATIENCE })).map(toBytes));
    }
    return all as [Bytes[], Bytes[]];
  }

  it('random calls of header methods have the same results as on a response of Node.js', async () => {
    const property = fc.asyncProperty(fc.array(calls, { minLength: 1, maxLength: 20 }), async (cases) => {
      const [expected, actual] = await responsesOf(...cases.map(acting));

      expect(actual).to.deep.equal(expected);
    });
    await fc.assert(property, { numRuns: 150 });
  });

  it("res.send() writes its headers to the store without Node.js's validation, in this version of Node.js", async () => {
    const app = framework();
    app.get('/', (_req, res) => {
      res.send('text');
      const store = Object.getOwnPropertySymbols(res)
        .map((symbol) => (res as unknown as Record<symbol, object | undefined>)[symbol])
        .find((one) => typeof one === 'object' && one && 'etag' in one);
      // The store must not inherit from Object.prototype, because Node.js's own store does not.
      seen.push(Object.keys(store as object), Object.getPrototypeOf(Object.getPrototypeOf(store)));
    });
    const seen: unknown[] = [];

    await play(app, [get('/')]);

    expect(seen).to.deep.equal([['x-powered-by', 'content-type', 'content-length', 'etag'], null]);
  });

  it("getHeader and getHeaders of Node.js read headers that res.send() set, also through Node.js's prototype", async () => {
    const app = framework();
    app.get('/', (_req, res) => {
      res.json({ a: 1 });
      const { getHeader, getHeaders, hasHeader } = OutgoingMessage.prototype;
      seen.push(getHeader.call(res, 'ETAG'), { ...getHeaders.call(res) }, hasHeader.call(res, 'ToString'));
    });
    const seen: unknown[] = [];

    await play(app, [get('/')]);

    const [etag] = seen;
    expect(etag).to.match(/^W\/"7-/);
    expect(seen).to.deep.equal([
      etag,
      {
        'x-powered-by': 'Nozomi',
        'content-type': 'application/json; charset=utf-8',
        'content-length': '7',
        etag,
      },
      false,
    ]);
  });

  it('a hundred headers are sent in the order in which they were set', async () => {
    const [expected, actual] = await responsesOf((res) => {
      for (let i = 0; i < 100; i++) res.setHeader(`X-${i}`, i);
      res.setHeader('X-7', 'again');
      res.end(JSON.stringify(res.getHeaders()));
    });

    expect(actual).to.deep.equal(expected);
    expect(actual[0]).to.include.members(['X-7: again', 'X-99: 99']);
  });

  for (const member of ['setHeader', 'getHeader', 'writeHead'] as const) {
    it(`a wrapper of Node.js's ${member} receives the calls of the application`, async () => {
      const { [member]: own } = runtime;
      const seen: unknown[] = [];
      Object.assign(runtime, {
        [member](this: ServerResponse, ...args: unknown[]) {
          seen.push(args[0]);
          return own?.apply(this, args);
        },
      });
      try {
        await responsesOf((res) => {
          seen.length = 0;
          res.setHeader('X-A', '1');
          res.getHeader('X-A');
          res.end();
        });
      } finally {
        if (member === 'writeHead') Object.assign(runtime, { [member]: own });
        else Reflect.deleteProperty(runtime, member);
      }

      expect(seen).to.deep.equal([member === 'writeHead' ? 200 : 'X-A']);
    });
  }
});

function acting(some: readonly Call[]): Act {
  return (res) => respond(res, JSON.stringify(perform(res, some)));
}

/**
 * Sends the results of the calls. Node.js throws if Content-Disposition is a number or another value that it cannot
 * encode. Then the response is sent without this header.
 */
function respond(res: ServerResponse, seen: string): void {
  try {
    res.end(seen);
  } catch (err) {
    res.removeHeader('Content-Disposition');
    res.end(`${err} ${seen}`);
  }
}

/** Makes the calls. @returns Their results, or the codes and messages of their errors. */
function perform(res: ServerResponse, some: readonly Call[]): unknown[] {
  const targets = { res, proxy: new Proxy(res, {}), runtime: res };
  return some.map(({ by: way, member, args }) => {
    const target = targets[way];
    const { [member]: method } = way === 'runtime' ? runtime : (target as unknown as Members);
    try {
      // Each implementation gets its own lists, because Node.js appends to arrays that it receives.
      const actual = method?.apply(target, structuredClone([...args]));
      return actual === target ? 'itself' : [actual, actual && Object.getPrototypeOf(actual) === null];
    } catch (err) {
      return `${(err as { code?: string }).code} ${(err as Error).message}`;
    }
  });
}
