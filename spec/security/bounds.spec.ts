import { expect } from 'chai';
import type { Report } from '../../parity/programs/child';
import { PATIENT } from '../../parity/programs/client';
import { BUILD, EXPRESS, Worker } from '../../parity/programs/pair';

/** Milliseconds that an input of up to 1 MB may block the event loop. */
const BOUND = 50;
const MB = 1024 * 1024;
/** Attempts before an input counts as too slow, because a busy machine is slow at times. */
const TRIES = 8;

/**
 * Inputs for which `JSON.parse` alone may take longer than `BOUND`. They may take this multiple of its time.
 */
const LIMITED_BY_V8: Readonly<Record<string, number>> = {
  'JSON nested to the end': 3,
  'JSON nested and closed': 3,
  // `JSON.parse` takes half of `BOUND` for this input, and more on a slow machine.
  'JSON of many keys': 3,
};

const fill = (piece: string, length = MB - 64): string => piece.repeat(Math.floor(length / piece.length));

/** Request targets of about 15 kB. Node.js accepts at most 16 kB for the target and all headers. */
const HEADS: Readonly<Record<string, string>> = {
  'a path of slashes': `/echo${fill('/', 15_000)}`,
  'a path of dots': `/static/${fill('../', 15_000)}`,
  'a path of escapes': `/file/${fill('%2e%2E%2f', 15_000)}`,
  'a path for regular expressions': `/match-${fill('a-', 15_000)}`,
  'a path of optional groups': `/deep/${fill('x-', 15_000)}/x-`,
  'a query of brackets': `/echo/a?${fill('a[b]', 15_000)}`,
  'a query of nested keys': `/echo/a?a${fill('[]', 15_000)}=1`,
  'a query of many keys': `/echo/a?${fill('a&', 15_000)}`,
  'a redirect of percent signs': `/redirect?to=${fill('%25%', 15_000)}`,
};

const FIELDS: Readonly<Record<string, string>> = {
  Accept: fill('a/b;q=0.1,', 15_000),
  'Accept-Language': fill('a-b,', 15_000),
  'Accept-Encoding': fill(';', 15_000),
  Cookie: fill('a=%41;', 15_000),
  Range: `bytes=${fill('0-1,', 15_000)}`,
  'If-None-Match': fill('W/"a",', 15_000),
  'X-Forwarded-For': fill('1.1.1.1,', 15_000),
  'Content-Type': `a/b;${fill('a="\\""; ', 15_000)}`,
  Authorization: `Basic ${fill('AAAA', 15_000)}`,
};

const BODIES: Readonly<Record<string, [path: string, type: string, body: string]>> = {
  'JSON nested to the end': ['/json', 'application/json', fill('[')],
  'JSON nested and closed': ['/json', 'application/json', fill('[', MB / 2 - 64) + fill(']', MB / 2 - 64)],
  'JSON of many keys': [
    '/json',
    'application/json',
    `{${Array.from({ length: 60_000 }, (_none, i) => `"k${i}":1`).join()}}`,
  ],
  'JSON of one text': ['/json', 'application/json', `"${fill('\\u0041')}"`],
  'JSON that is none': ['/json', 'application/json', fill(' ')],
  // Hashes stand for text in the errors of body-parser.
  'JSON of hashes': ['/json', 'application/json', fill('#')],
  'a form of many names': ['/form', 'application/x-www-form-urlencoded', fill('a&')],
  'a form of nested names': ['/form', 'application/x-www-form-urlencoded', `a${fill('[a]')}=1`],
  'a form of opening brackets': ['/form', 'application/x-www-form-urlencoded', fill('[')],
  'a form of a sparse list': ['/form', 'application/x-www-form-urlencoded', 'a[999999999]=1&a[1]=2'],
  'a simple form of nested names': ['/urlencoded', 'application/x-www-form-urlencoded', `a${fill('[b]')}=1`],
  'a form of one list': ['/form', 'application/x-www-form-urlencoded', fill('a[]=1&', 6000)],
  'a form of one escape': ['/form', 'application/x-www-form-urlencoded', `a=${fill('%41')}`],
  'a simple form of equal signs': ['/urlencoded', 'application/x-www-form-urlencoded', fill('=')],
  'a text': ['/text', 'text/plain', fill('\u00e9')],
  bytes: ['/raw', 'application/octet-stream', fill('\0')],
};

describe('an application that receives up to 1 MB of hostile input', () => {
  const workers = [EXPRESS[5], BUILD[5]].map(
    (implementation) => new Worker(implementation, Number.POSITIVE_INFINITY),
  );
  after(() => {
    for (const worker of workers) worker.stop();
  });

  const cases: Record<string, string> = {};
  for (const [what, target] of Object.entries(HEADS))
    cases[what] = `GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`;
  for (const [name, value] of Object.entries(FIELDS)) {
    cases[`${name} of 15 kB`] = `GET /echo/a HTTP/1.1\r\nHost: h\r\n${name}: ${value}\r\n\r\n`;
  }
  for (const [what, [path, type, body]] of Object.entries(BODIES)) {
    cases[what] =
      `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body, 'latin1')}\r\n\r\n${body}`;
  }

  for (const [what, text] of Object.entries(cases)) {
    const times = LIMITED_BY_V8[what];
    const within = times
      ? `${times} times what V8's parser takes, or twice what Express takes`
      : `${BOUND} ms`;
    proves(what in BODIES ? 'CVE-2024-45590 F-2.10-52 F-2.10-67 F-8-01' : 'F-8-01');
    it(`responds to ${what} as Express does, and blocks the event loop at most for ${within}`, async () => {
      const actions = [{ send: [text], aborts: false }];
      const program = { build: [{ example: 5 as const }], listeners: [], actions };
      let least = Number.POSITIVE_INFINITY;
      let bound = BOUND;
      // The shortest run counts, because other load only adds time.
      for (let time = 0; time < TRIES && least >= bound; time++) {
        if (times) bound = Math.max(bound, times * parseTime(text));
        const task = { program, way: 'own' as const, patience: PATIENT };
        const [expected, actual] = (await Promise.all(workers.map((worker) => worker.run(task)))) as [
          Report,
          Report,
        ];
        expect(actual.received).to.deep.equal(expected.received);
        expect(actual.events).to.deep.equal(expected.events);
        // Both run at the same time.
        if (times) bound = Math.max(bound, 2 * expected.busiest);
        least = Math.min(least, actual.busiest);
      }
      expect(least).to.be.below(bound);
    });
  }
});

/** @returns The CPU milliseconds of `JSON.parse` for the body. */
function parseTime(text: string): number {
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  const before = process.cpuUsage();
  try {
    JSON.parse(body);
  } catch {}
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
