/** Generates requests, most of them valid. All text is latin1, so one character is one byte. */
import fc, { type Arbitrary } from 'fast-check';
import type { Connection } from '../../../parity/programs/program';
import { body, charset, encoding } from '../../../spec/support/arbitraries/bodies';
import { range } from '../../../spec/support/arbitraries/ranges';
import { tables } from './tables';

const pick = fc.constantFrom;

/** Generates from `odd` once in `times`, otherwise from `common`. */
function onceIn<T>(times: number, odd: Arbitrary<T>, common: Arbitrary<T>): Arbitrary<T> {
  return fc.oneof({ arbitrary: common, weight: times - 1 }, { arbitrary: odd, weight: 1 });
}

const words = tables.requests;
const METHODS = pick(...words.methods);
const ODD_METHODS = pick('get', 'GE T', 'G\tET', '', 'CONNECT', 'M-SEARCH', 'PRI', 'X'.repeat(40));
const PIECES = pick(...words.pieces, 'a'.repeat(300));
const QUERY_PIECES = pick(...words.queryPieces);
const VALUES = pick(...words.values, 'x'.repeat(200));
const HEADERS = pick(...words.headers);
/** Header lines that browsers and other clients send. */
const USUAL_HEADERS = pick(...words.usualHeaders);
const TYPES = pick(...words.types);

const joined = (pieces: Arbitrary<string>, maxLength: number, separator = ''): Arbitrary<string> =>
  fc.array(pieces, { maxLength, size: 'max' }).map((list) => list.join(separator));

const bytes: Arbitrary<string> = fc
  .uint8Array({ maxLength: 40 })
  .map((list) => Buffer.from(list).toString('latin1'));

const content: Arbitrary<string> = fc.oneof(
  { arbitrary: body.map((buffer) => buffer.toString('latin1')), weight: 4 },
  { arbitrary: pick('{"a":1}', '[]', 'a=1&b[c]=2', 'hello', '"x"', ''), weight: 1 },
  { arbitrary: pick('a'.repeat(3000), '{}'.repeat(3000)), weight: 1 },
);

interface Body {
  readonly headers: readonly string[];
  readonly body: string;
}

const chunked: Arbitrary<Body> = fc
  .record({
    content,
    size: fc.integer({ min: 1, max: 20 }),
    extension: onceIn(20, pick(';a', ';a=b', ';a="\\""', ' ', ';'), fc.constant('')),
    wrong: onceIn(40, fc.constant(1), fc.constant(0)),
    end: onceIn(
      30,
      fc.constant(''),
      onceIn(
        15,
        pick('0\r\nX-T: 1\r\n\r\n', '0\r\nX-T: \xe9\r\n\r\n', '0\r\n:\r\n\r\n'),
        fc.constant('0\r\n\r\n'),
      ),
    ),
    encoding: onceIn(20, pick('Chunked', 'x, chunked', 'chunked, x', 'identity'), fc.constant('chunked')),
  })
  .map(({ content: text, size, extension, wrong, end, encoding }) => {
    const chunks: string[] = [];
    for (let at = 0; at < text.length; at += Math.max(size, Math.ceil(text.length / 20))) {
      const piece = text.slice(at, at + Math.max(size, Math.ceil(text.length / 20)));
      chunks.push(`${(piece.length + wrong).toString(16)}${extension}\r\n${piece}\r\n`);
    }
    return { headers: [`Transfer-Encoding: ${encoding}`], body: chunks.join('') + end };
  });

const measured: Arbitrary<Body> = fc
  .record({
    content,
    off: onceIn(25, fc.integer({ min: -2, max: 2 }), fc.constant(0)),
    odd: onceIn(60, pick('x', '-1', '0x5', '+5', '5, 5', '', '1e1'), fc.constant(undefined)),
  })
  .map(({ content: text, off, odd }) => ({
    headers: [`Content-Length: ${odd ?? Math.max(0, text.length + off)}`],
    body: text,
  }));

const typed: Arbitrary<Body> = fc
  .record({
    body: fc.oneof({ arbitrary: measured, weight: 2 }, { arbitrary: chunked, weight: 1 }),
    type: onceIn(12, fc.constant(undefined), TYPES),
    parameters: charset,
    coding: onceIn(8, encoding, fc.constant('')),
  })
  .map(({ body: { headers, body }, type, parameters, coding }) => ({
    headers: [
      ...(type === undefined ? [] : [`Content-Type: ${type}${parameters}`]),
      ...(coding === '' ? [] : [`Content-Encoding: ${coding}`]),
      ...headers,
    ],
    body,
  }));

const withBody: Arbitrary<Body> = fc.oneof(
  { arbitrary: fc.constant({ headers: [], body: '' }), weight: 3 },
  { arbitrary: typed, weight: 1 },
);

const header: Arbitrary<string> = onceIn(
  60,
  pick(...words.wrongHeaders),
  fc.oneof(
    { arbitrary: USUAL_HEADERS, weight: 10 },
    { arbitrary: range.map((value) => `Range: ${value}`), weight: 1 },
    {
      arbitrary: fc
        .tuple(
          HEADERS,
          pick(': ', ':', ':  ', ':\t'),
          fc.array(VALUES, { minLength: 1, maxLength: 3 }),
          pick('', ',', ', ', ';', '; '),
        )
        .map(([name, colon, list, separator]) => `${name}${colon}${list.join(separator)}`),
      weight: 5,
    },
  ),
);

/** Generates a request target: usually one of `paths`, sometimes with an origin, more segments or a query. */
function targetFrom(paths: Arbitrary<string>): Arbitrary<string> {
  const usual = fc
    .record({
      origin: onceIn(
        25,
        pick('http://h', 'HTTP://h:80', 'https://u@h', 'http://h:x', 'ftp://h'),
        fc.constant(''),
      ),
      path: paths,
      more: onceIn(6, joined(PIECES, 3), fc.constant('')),
      query: onceIn(
        3,
        joined(QUERY_PIECES, 4, '&').map((text) => `?${text}`),
        fc.constant(''),
      ),
    })
    .map(({ origin, path, more, query }) => origin + path + more + query);
  return onceIn(
    40,
    pick('*', '', 'x', 'h:80', '?a', '#', 'http://', 'https://h', '/ /', '//', '/\xe9'),
    usual,
  );
}

/** A change at position `at`, which may make the request invalid. `end` removes all bytes from there on. */
interface Damage {
  readonly at: number;
  readonly how: 'replace' | 'cut' | 'repeat' | 'insert' | 'end';
  readonly bytes: string;
}

const damage: Arbitrary<Damage> = fc.record({
  at: fc.integer({ min: 0, max: 200 }),
  how: pick('replace', 'cut', 'repeat', 'insert', 'end'),
  bytes: fc.oneof(pick('\r', '\n', '\r\n', '\0', ' ', ':', '\xff', '\r\n\r\n'), bytes),
});

function spoil(text: string, { at, how, bytes: given }: Damage): string {
  const place = text.length === 0 ? 0 : at % text.length;
  const [before, rest] = [text.slice(0, place), text.slice(place)];
  const length = Math.max(1, given.length % 8);
  switch (how) {
    case 'replace':
      return before + given + rest.slice(given.length);
    case 'cut':
      return before + rest.slice(length);
    case 'repeat':
      return before + rest.slice(0, length) + rest;
    case 'insert':
      return before + given + rest;
    case 'end':
      return before;
  }
}

/**
 * Generates the bytes of a request.
 *
 * @param paths The paths of most request targets.
 */
export function requestTo(paths: Arbitrary<string>): Arbitrary<string> {
  return fc
    .record({
      method: onceIn(60, ODD_METHODS, METHODS),
      target: targetFrom(paths),
      version: onceIn(15, pick(...words.versions), fc.constant('HTTP/1.1')),
      host: onceIn(
        20,
        onceIn(
          3,
          fc.constant<string[]>([]),
          VALUES.map((value) => [`Host: ${value}`]),
        ),
        fc.constant<string[]>(['Host: h.example']),
      ),
      headers: fc.array(header, { maxLength: 3, size: 'max' }),
      body: withBody,
      damages: onceIn(15, fc.array(damage, { minLength: 1, maxLength: 3 }), fc.constant<Damage[]>([])),
      garbage: onceIn(25, pick('a=1', '\r\n', '\0', 'GET', 'x'.repeat(30), ' '), fc.constant('')),
    })
    .map(({ method, target, version, host, headers, body, damages, garbage }) => {
      const lines = [`${method} ${target} ${version}`, ...host, ...headers, ...body.headers];
      const request = `${lines.map((line) => `${line}\r\n`).join('')}\r\n${body.body}`;
      return damages.reduce(spoil, request) + garbage;
    });
}

export function connectionTo(paths: Arbitrary<string>): Arbitrary<Connection> {
  const request = requestTo(paths);
  const oneByOne = fc.array(request, { minLength: 1, maxLength: 3 });
  const atOnce = fc.array(request, { minLength: 2, maxLength: 4 }).map((list) => [list.join('')]);
  const inPieces = fc
    .tuple(request, fc.integer({ min: 1, max: 100 }))
    .map(([text, at]) => [text.slice(0, at), text.slice(at)].filter((piece) => piece !== ''));
  return fc.record({
    send: fc.oneof(
      { arbitrary: request.map((text) => [text]), weight: 6 },
      { arbitrary: oneByOne, weight: 2 },
      { arbitrary: atOnce, weight: 1 },
      { arbitrary: inPieces, weight: 1 },
    ),
    aborts: onceIn(40, fc.constant(true), fc.constant(false)),
  });
}
