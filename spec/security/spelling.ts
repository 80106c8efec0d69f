/** Generates spellings of a path: request targets that look different but may lead to the same file. */
import { type Arbitrary, array, constant, constantFrom, oneof, tuple } from 'fast-check';

/** Names of directories: a plain one, and others with spaces, non-ASCII or special characters. */
export const NAMES: readonly string[] = [
  'admin',
  'a b',
  'ädmin',
  '日本',
  '@home',
  'a+b;c',
  "o'clock",
  '50%',
  'a.b',
  '.well',
];

/** @returns The spellings of one character. The first is the usual one. */
function spellingsOf(character: string): string[] {
  const bytes = [...Buffer.from(character)];
  const upper = bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  const other = character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase();
  const code = character.codePointAt(0) ?? 0;
  const overlong = code < 0x80 ? [`%C${code < 0x40 ? 0 : 1}%${(0x80 | (code & 0x3f)).toString(16)}`] : [];
  const fullwidth = code > 0x20 && code < 0x7f ? [...Buffer.from(String.fromCodePoint(code + 0xfee0))] : [];
  return [
    normalOf(character),
    upper,
    upper.toLowerCase(),
    upper.replaceAll('%', '%25'),
    `%u${code.toString(16).padStart(4, '0')}`,
    normalOf(other),
    // Bytes without escapes, unless they would end the request line or the path.
    ...(/[\s#?]/.test(character) ? [] : [Buffer.from(bytes).toString('latin1')]),
    ...overlong,
    ...(fullwidth.length > 0 ? [Buffer.from(fullwidth).toString('latin1')] : []),
  ];
}

// biome-ignore format: a table
const SEPARATORS = [
  '//', '///', '/./', '/x/../', '/x/y/../../', '/%2e/', '/.%2E/', '/x/%2e%2e/', '/x/.%2e/', '/x//../',
  '%2F', '%2f', '/%2F', '%2F/', '%252F', '\\', '%5C', '/%5c', '/x\\..\\', '/x%2F..%2F', '/x/..%2F',
  '/;/', ';x/', '/;x=1/', '/..;/', '/.;/', '%3B/', '%00/', '/%00', '/%20/', '%09/', '/\u00a0',
  '/#/', '/?/',
];
const PREFIXES = [
  'http://h',
  'HTTP://h:80',
  'http://h/',
  'http://u@h',
  'http://h:x',
  'http:\\\\h',
  'http:///',
  '/..',
  '/%2e%2e',
  '.',
  '/x:y@z',
];
const SUFFIXES = ['?', '?/../', '#', '#/..', '/', '/.', '%00', '%20', '.', ';', '?\u00a0', '?\\'];

/** @returns A segment of a path in the normal form of RFC 3986. */
export function normalOf(segment: string): string {
  return encodeURIComponent(segment).replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
}

/** Generates request targets that a server may read as the path of these segments. */
export function targetsOf(segments: readonly string[]): Arbitrary<string> {
  const parts = segments.map((segment) => tuple(separator, textOf(segment)));
  return tuple(mostly('', PREFIXES), tuple(...parts), mostly('', SUFFIXES)).map(
    ([prefix, texts, suffix]) => prefix + texts.flat().join('') + suffix,
  );
}

const separator = mostly('/', SEPARATORS);

function textOf(segment: string): Arbitrary<string> {
  const characters = [...segment].map((character) => {
    const [plain = '', ...others] = spellingsOf(character);
    return oneof(
      { weight: 8, arbitrary: constant(plain) },
      { weight: 2, arbitrary: constantFrom(...others) },
    );
  });
  return tuple(...characters).map((texts) => texts.join(''));
}

function mostly(usual: string, others: readonly string[]): Arbitrary<string> {
  return oneof({ weight: 4, arbitrary: constant(usual) }, { weight: 1, arbitrary: constantFrom(...others) });
}

/** Generates random paths with separators, dots and escapes. */
export const anyPath: Arbitrary<string> = array(
  constantFrom(
    'a',
    'B',
    '.',
    '..',
    '/',
    '%61',
    '%2e',
    '%2F',
    '%C3%A9',
    '%c3',
    '\u00e9',
    '%',
    '@',
    '%40',
    '\\',
    ' ',
    '|',
    '#',
    '%00',
  ),
  { maxLength: 12 },
).map((pieces) => `/${pieces.join('')}`);
