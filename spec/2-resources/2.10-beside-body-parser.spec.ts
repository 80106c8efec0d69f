/**
 * Sends random bodies to the parsers of this package and to those of body-parser. The bytes are cut at random
 * positions, so that a chunk may end anywhere.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, type IncomingMessage } from 'node:http';
import { Duplex, PassThrough } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import bodyParser from 'body-parser';
import { expect } from 'chai';
import fc from 'fast-check';
import framework from 'nozomi';
import { body, charset, encoding, urlencodedText } from '../support/arbitraries/bodies';
import { describeBody, describeError, type Parser, TYPES } from '../support/bodies';

const RUNS = Number(process.env.FUZZ_RUNS ?? 150);

type Options = { limit?: number | string; strict?: boolean; extended?: boolean; verify?: () => void };

interface Case {
  parser: Parser;
  options: Options;
  head: string;
  payload: Buffer;
  /** The positions at which the bytes of the payload are cut. */
  cuts: number[];
  /** The client disconnects after this many bytes of the payload; undefined: after the whole payload. */
  end: number | undefined;
  /** Whether zlib inflates the body. It runs in the thread pool of Node.js, so the order of events is random. */
  isCompressed: boolean;
}

const options = fc.record<Options>(
  {
    limit: fc.constantFrom<number | string>(0, 5, 40, '1kb', '10mb'),
    strict: fc.boolean(),
    extended: fc.boolean(),
    verify: fc.constant(() => {}),
  },
  { requiredKeys: [] },
);

const cases = fc
  .record({
    parser: fc.constantFrom<Parser>('json', 'json', 'text', 'urlencoded', 'urlencoded', 'raw'),
    options,
    type: fc.constantFrom('', '', '', '', 'text/json', 'application/vnd.api+json'),
    charset,
    encoding,
    body,
    framing: fc.constantFrom('length', 'length', 'length', 'chunked', 'none'),
    /** The difference between Content-Length and the true length. If it is negative, garbage follows the body. */
    lie: fc.constantFrom(0, 0, 0, 0, 0, 1, -1, 7),
    cuts: fc.array(fc.nat(400), { maxLength: 4 }),
    end: fc.option(fc.nat(60), { nil: undefined, freq: 6 }),
  })
  .map(toCase);

describe('body parsers, compared with body-parser', () => {
  proves('F-2.10-49 F-2.10-70 F-7-16');
  it('give a random request the same body or error, and call next() in the same turn of the event loop', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        let [actual, expected] = await runBoth(one, 20);
        // A compressed body can be invalid and too long at the same time. Then the error depends on the thread
        // pool of Node.js, so the case is repeated with more patience.
        for (let patience = 30; one.isCompressed && patience < 2000; patience *= 2) {
          for (let tries = 0; tries < 10 && !isDeepStrictEqual(actual, expected); tries++) {
            [actual, expected] = await runBoth(one, patience);
          }
        }
        expect(actual).to.deep.equal(expected);
      }),
      { numRuns: RUNS },
    );
  });

  proves('F-2.10-61 F-2.10-64 F-2.10-65 F-2.10-67');
  it('urlencoded() parses a random form to the same object', async () => {
    const form = fc.record({
      text: urlencodedText,
      isExtended: fc.boolean(),
      limit: fc.constantFrom(1, 3, 1000, Infinity),
    });
    await fc.assert(
      fc.asyncProperty(form, async ({ text, isExtended, limit }) => {
        const given = { extended: isExtended, parameterLimit: limit };
        const one = toCase({ ...PLAIN_FORM, body: Buffer.from(text) });
        const expected = await run(one, bodyParser.urlencoded(given));
        expect(await run(one, framework.urlencoded(given))).to.deep.equal(expected);
      }),
      { numRuns: RUNS },
    );
  });

  // Requests that no HTTP parser of Node.js created: those of serverless adapters, or streams of other middleware.
  for (const [what, act] of Object.entries<(stream: PassThrough) => void>({
    'ends before its length': (stream) => stream.end('{"a"'),
    'runs past its length': (stream) => stream.end('{"a":1}      '),
    'runs past the limit': (stream) => stream.end(' '.repeat(200)),
    'runs past the limit in pieces': (stream) => {
      stream.write(' '.repeat(60));
      setImmediate(() => stream.end(' '.repeat(60)));
    },
    'fails with an error': (stream) =>
      stream.emit('error', Object.assign(new Error('torn'), { status: 418, type: 'torn' })),
    'fails with a text': (stream) => stream.emit('error', 'torn'),
    'fails with nothing': (stream) => stream.emit('error', undefined),
    'is aborted': (stream) => {
      stream.write('{');
      setImmediate(() => stream.emit('aborted'));
    },
    'is destroyed': (stream) => stream.destroy(),
    'other code reads too': (stream) => stream.resume().end('{"a":1}'),
    'emits strings after setEncoding': (stream) => stream.setEncoding('utf8').end('{"a":1}'),
  })) {
    proves('F-2.10-73 F-7-16');
    it(`json() has the same result for a request stream that ${what}`, async () => {
      const expected = await runStream(bodyParser.json({ limit: 100 }), act);
      expect(await runStream(framework.json({ limit: 100 }), act)).to.deep.equal(expected);
    });
  }

  for (const [what, prepare] of Object.entries<(stream: PassThrough) => void>({
    'was read before': (stream) => stream.end('{"a":1}').resume(),
    'emitted strings before': (stream) => stream.setEncoding('utf8').end('{"a":1}'),
    'was destroyed before': (stream) => stream.destroy(),
  })) {
    proves('F-2.10-73 F-7-16');
    it(`json() has the same result for a request stream that ${what}`, async () => {
      const expected = await runStream(bodyParser.json(), () => {}, prepare);
      expect(await runStream(framework.json(), () => {}, prepare)).to.deep.equal(expected);
    });
  }
});

const PLAIN_FORM = {
  parser: 'urlencoded',
  options: {},
  type: '',
  charset: '',
  encoding: '',
  framing: 'length',
  lie: 0,
  cuts: [],
  end: undefined,
} as const;

function toCase(drawn: {
  parser: Parser;
  options: Options;
  type: string;
  charset: string;
  encoding: string;
  body: Buffer;
  framing: string;
  lie: number;
  cuts: readonly number[];
  end: number | undefined;
}): Case {
  const { parser, framing } = drawn;
  const body = compressed(drawn.body, drawn.encoding);
  const headers = [`Content-Type: ${drawn.type || TYPES[parser]}${drawn.charset}`];
  if (drawn.encoding) headers.push(`Content-Encoding: ${drawn.encoding}`);
  if (framing === 'length') headers.push(`Content-Length: ${Math.max(0, body.length + drawn.lie)}`);
  if (framing === 'chunked') headers.push('Transfer-Encoding: chunked');
  const half = body.length >> 1;
  const chunks = [body.subarray(0, half), body.subarray(half)].filter((chunk) => chunk.length > 0);
  const payload =
    framing === 'chunked'
      ? Buffer.concat([
          ...chunks.flatMap((chunk) => [
            Buffer.from(`${chunk.length.toString(16)}\r\n`),
            chunk,
            Buffer.from('\r\n'),
          ]),
          Buffer.from('0\r\n\r\n'),
        ])
      : body;
  const head = `POST / HTTP/1.1\r\nHost: spec\r\n${headers.join('\r\n')}\r\n\r\n`;
  return {
    parser,
    options: drawn.options,
    head,
    payload,
    cuts: [...drawn.cuts],
    end: drawn.end,
    isCompressed: body !== drawn.body,
  };
}

function compressed(body: Buffer, encoding: string): Buffer {
  if (/^gzip$/i.test(encoding)) return gzipSync(body);
  if (encoding === 'deflate') return deflateSync(body);
  return encoding === 'br' ? brotliCompressSync(body) : body;
}

/** Passes a stream as a request to a parser. @returns The arguments of `next`, and the remaining listeners. */
async function runStream(
  parser: unknown,
  act: (stream: PassThrough) => void,
  prepare: typeof act = () => {},
): Promise<unknown[]> {
  const headers = { 'content-type': 'application/json', 'content-length': '7' };
  const stream = Object.assign(new PassThrough(), { headers }) as unknown as PassThrough & IncomingMessage;
  const seen: unknown[] = [];
  prepare(stream);
  (parser as Middleware)(stream, {} as never, (err) => {
    seen.push(err ? describeError(err as Error) : 'no error', (stream as { body?: unknown }).body);
  });
  act(stream);
  for (let turns = 0; turns < 5; turns++) await turn();
  return [...seen, counts(stream), stream.isPaused()];
}

type Middleware = (req: IncomingMessage, res: never, next: (err?: unknown) => void) => void;

/** @returns The result of this package's parser, and that of body-parser. */
async function runBoth(one: Case, patience: number): Promise<[unknown[], unknown[]]> {
  const actual = await run(one, framework[one.parser](one.options), patience);
  return [actual, await run(one, bodyParser[one.parser](one.options), patience)];
}

/** @returns What `next` received, then the events of the request in order; for a compressed body no events. */
async function run(
  { head, payload, cuts, end, isCompressed }: Case,
  parser: unknown,
  patience = 20,
): Promise<unknown[]> {
  const outcome: unknown[] = [];
  const events: unknown[] = [];
  const store = new AsyncLocalStorage<string>();
  const wire = new Wire();
  const server = createServer((req, res) => {
    req.on('end', () => events.push('end, heard first'));
    store.run('kept', () =>
      (parser as Middleware)(req, res as never, (err) => {
        const { body } = req as { body?: unknown };
        outcome.push(store.getStore(), err ? describeError(err as Error) : 'no error', describeBody(body));
        events.push('next', counts(req));
        res.end('done');
      }),
    );
    events.push('returned', 'body' in req, counts(req));
    req.on('end', () => events.push('end, heard last'));
    req.on('close', () => events.push('close', counts(req)));
  });
  server.on('clientError', (_err, socket) => socket.destroy());
  server.emit('connection', wire);
  const sent = end === undefined ? payload : payload.subarray(0, end);
  const marks = [...new Set([0, ...cuts.map((cut) => Math.min(cut, sent.length)), sent.length])].sort(
    (a, b) => a - b,
  );
  wire.push(head);
  for (const [index, mark] of marks.entries()) {
    await turn();
    if (index > 0) wire.push(sent.subarray(marks[index - 1], mark));
  }
  for (let tries = 0; isCompressed && outcome.length === 0 && tries < patience; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await turn();
  wire.destroy();
  await turn();
  await turn();
  // A store that stays enabled makes every later asynchronous operation of the process slower.
  store.disable();
  return isCompressed ? outcome : [...outcome, ...events];
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function counts(req: IncomingMessage): Record<string, number> {
  const names = ['aborted', 'close', 'data', 'end', 'error'];
  return Object.fromEntries(names.map((name) => [name, req.listenerCount(name)]));
}

/** A connection without a network, for Node.js's HTTP server. */
class Wire extends Duplex {
  override _read(): void {}
  override _write(_chunk: unknown, _encoding: unknown, callback: () => void): void {
    callback();
  }
}
