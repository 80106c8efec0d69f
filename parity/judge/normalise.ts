/**
 * Replaces values that differ between runs or implementations with constants: the clock, durations, the name of the
 * framework, the folder of the checkout, stack frames. Values in other formats remain differences.
 */
import { createHash } from 'node:crypto';
import type { Exchange } from '../client/messages';
import { ROOT } from '../implementations/project';
import type { Implementation, Observation } from '../implementations/protocol';

type Place =
  | `header ${string}`
  | 'body'
  | 'log'
  | 'stdout'
  | 'stderr'
  | 'threw'
  | 'uncaught'
  | 'deprecations';

interface Rule {
  readonly name: string;
  readonly places: readonly Place[];
  replace(text: string, implementation: Implementation): string;
}

type Replace = (place: Place, value: string) => string;

const TEXTS: readonly Place[] = ['body', 'log', 'stdout', 'stderr', 'threw', 'uncaught', 'deprecations'];
const LINES: readonly Place[] = ['log', 'stdout'];
/** Matches dates of headers. */
export const HTTP_DATE = /\b[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT/g;
/** Matches times in ISO 8601. */
export const INSTANT = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g;
/** Matches times of the Common Log Format. */
export const LOG_DATE = /\b\d{2}\/[A-Z][a-z]{2}\/\d{4}:\d{2}:\d{2}:\d{2} \+0000/g;
const SOME_HTTP_DATE = 'Thu, 01 Jan 2026 00:00:00 GMT';
/** The constant for the start time of recorded exchanges, and for ISO 8601 times in log lines. */
export const SOME_INSTANT = '2026-01-01T00:00:00.000Z';
/** A date counts as the current time if the difference is below this many milliseconds. */
const NOW = 60_000;

const RULES: readonly Rule[] = [
  {
    name: 'the clock in the Date header',
    places: ['header date'],
    replace: (text) => text.replace(HTTP_DATE, (date) => (isNow(date) ? SOME_HTTP_DATE : date)),
  },
  {
    name: 'Expires of a cookie, if it equals the current time plus Max-Age',
    places: ['header set-cookie'],
    replace(text) {
      const maxAge = Number(/; Max-Age=(-?\d+)/.exec(text)?.[1]);
      return text.replace(HTTP_DATE, (date) => (isNow(date, maxAge * 1000) ? SOME_HTTP_DATE : date));
    },
  },
  {
    name: 'the name of the framework',
    places: ['header x-powered-by'],
    replace(text, { identity, application }) {
      if (text === identity) return 'Express';
      // Keep a value that an application has set itself. Any other value is the wrong name, and is marked.
      const isOwn = application !== undefined && text !== 'Express' && text !== 'Nozomi';
      return isOwn ? text : `${text} (expected ${identity})`;
    },
  },
  {
    name: 'the name of the framework in the headers that a logger or a page shows',
    places: TEXTS,
    replace: (text, { identity }) =>
      text.replace(
        /(x-powered-by\\?["']?\s*[:=,]\s*\\?["']?)(Express|Nozomi)\b/gi,
        (all, before: string, name: string) => (name === identity ? `${before}Express` : all),
      ),
  },
  {
    name: 'the ports on which the servers of an application listen, in place of those that it asked for',
    places: [...TEXTS, 'header location', 'header link'],
    replace: (text, { ports = [] }) =>
      ports.reduce(
        (now, [port, asked]) =>
          now.includes(String(port))
            ? now.replace(new RegExp(`(?<![\\w.])${port}(?![\\w.])`, 'g'), asked)
            : now,
        text,
      ),
  },
  {
    name: 'the process id, beside a word that says so',
    places: TEXTS,
    replace: (text, { pid }) =>
      pid === undefined || !text.includes(String(pid))
        ? text
        : text.replace(
            new RegExp(
              `((?:\\bp?pid|process(?:[ _-]?id)?|worker|\\(node)\\\\?["']?[\\s:=#,]*\\(?|[[#(])${pid}\\b`,
              'gi',
            ),
            '$14242',
          ),
  },
  {
    name: 'the process id in what an application writes, if no other number is likely to be equal',
    places: ['stdout', 'stderr'],
    replace: (text, { pid = 0, application }) =>
      application === undefined || pid < 1000
        ? text
        : text.replace(new RegExp(`(?<![\\w.])${pid}(?![\\w.])`, 'g'), '4242'),
  },
  {
    name: 'stack frames',
    places: TEXTS,
    replace: withoutFrames,
  },
  {
    name: 'the folder of the checkout',
    places: TEXTS,
    replace: (text, { runtime }) => text.replaceAll(runtime?.root ?? ROOT, '/nozomi'),
  },
  {
    // Only the first line, whose columns follow from the position, so that a wrong column remains. Both runs of an
    // application are on one version of Node.js.
    name: 'the line and column in messages of JSON.parse, which Node.js 22 and later add: for scenarios only',
    places: TEXTS,
    replace: (text, { application }) =>
      application === undefined
        ? text.replace(
            /( JSON at position (\d+)) \(line 1 column (\d+)\)/g,
            (all, before: string, position: string, column: string) =>
              Number(column) === Number(position) + 1 ? before : all,
          )
        : text,
  },
  {
    name: 'dates in log lines',
    places: LINES,
    replace: (text) =>
      text
        .replace(HTTP_DATE, (date) => (isNow(date) ? SOME_HTTP_DATE : date))
        .replace(LOG_DATE, '01/Jan/2026:00:00:00 +0000')
        .replace(INSTANT, SOME_INSTANT),
  },
  {
    name: 'durations in log lines: "1.234 ms" keeps its number of decimals',
    places: LINES,
    replace: (text) =>
      text.replace(
        /(?<![\d.])\d+(\.\d+)? ms\b/g,
        (_all, decimals = '') => `0${decimals.replace(/\d/g, '0')} ms`,
      ),
  },
];

/** Replaces each list of stack frames in a text. */
export function withoutFrames(text: string): string {
  return (
    text
      // Node.js indents the stack of an error's cause by more than four spaces.
      .replace(/(?:\n( {4,})at [^\n]*)+/g, '\n$1at (stack)')
      .replace(/(?:<br> &nbsp; &nbsp;at [^<\n]*)+/g, '<br> &nbsp; &nbsp;at (stack)')
      // In a JSON string, line ends are written as `\n`.
      .replace(/(?:\\n( {4,})at (?:[^\\"]|\\[^n])*)+/g, '\\n$1at (stack)')
      // Lists of frames: strings of JSON, and items of HTML as in the page of errorhandler.
      .replace(/(?:"( {4,})at (?:[^\\"]|\\.)*"(,?\s*))+/g, '"$1at (stack)"$2')
      .replace(/(?:<li>(?:\s|&nbsp;)*at [^<\n]*<\/li>\s*)+/g, '<li>at (stack)</li>')
  );
}

export function normalise(observation: Observation, implementation: Implementation): Observation {
  const text: Replace = (place, value) =>
    RULES.filter(({ places }) => places.includes(place)).reduce(
      (now, rule) => rule.replace(now, implementation),
      value,
    );
  const exchanges = observation.exchanges.map((exchange) => normaliseExchange(exchange, text));
  const list = (place: Place, values: readonly string[]): string[] =>
    // Apply the rules to the joined lines, because a stack has several lines.
    text(place, values.join('')).match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const logged = (place: Place, values: readonly string[]): string[] =>
    list(place, values).map((line) => withNewLengths(line, observation.exchanges, exchanges));

  return {
    ...observation,
    ...(observation.threw === undefined ? {} : { threw: text('threw', observation.threw) }),
    exchanges,
    log: logged('log', observation.log),
    stdout: logged('stdout', observation.stdout),
    stderr: list('stderr', observation.stderr),
    deprecations: observation.deprecations.map((line) => text('deprecations', line)),
    uncaught: observation.uncaught.map((line) => text('uncaught', line)),
  };
}

/** Updates body lengths in a log line, because a rule may have changed the length of the body. */
function withNewLengths(line: string, before: readonly Exchange[], after: readonly Exchange[]): string {
  return before.reduce((now, exchange, index) => {
    const [old, young] = [exchange.response.body?.length, after[index]?.response.body?.length];
    return old === young ? now : now.replace(new RegExp(`\\b${old}\\b`, 'g'), String(young));
  }, line);
}

function normaliseExchange(exchange: Exchange, text: Replace): Exchange {
  const { headers, body, ...response } = exchange.response;
  const shorter = body && normaliseBody(body, text);
  const normalHeaders = headers?.map(([name, value]): [string, string] => {
    const place = name.toLowerCase();
    const kept =
      body && shorter && body !== shorter ? recomputeHeader(place, value, body, shorter) : undefined;
    return [name, kept ?? text(`header ${place}`, value)];
  });
  return {
    ...exchange,
    response: {
      ...response,
      ...(normalHeaders && { headers: normalHeaders }),
      ...(shorter && { body: shorter }),
    },
  };
}

/**
 * Computes Content-Length or a generated ETag for the normalised body. Returns undefined for any other header, and for
 * a value that did not match the original body.
 */
function recomputeHeader(place: string, value: string, was: Buffer, is: Buffer): string | undefined {
  if (place === 'content-length' && value === String(was.length)) return String(is.length);
  const algorithm = place === 'etag' && ALGORITHMS.find((one) => value === weakTag(one, was));
  return algorithm ? weakTag(algorithm, is) : undefined;
}

/** The hashes of generated ETags: Express 4 and 5 use SHA-1, Express 3 uses MD5. */
const ALGORITHMS = ['sha1', 'md5'] as const;

function weakTag(algorithm: (typeof ALGORITHMS)[number], body: Buffer): string {
  const hash = createHash(algorithm).update(body).digest('base64').slice(0, 27).replace(/=+$/, '');
  return `W/"${body.length.toString(16)}-${hash}"`;
}

/** Sets `hasFrames` if the body of an exchange contains stack frames. */
export function markFrames(exchange: Exchange): Exchange {
  const hasFrames = STACK.test(exchange.response.body?.toString('latin1') ?? '');
  return hasFrames ? { ...exchange, response: { ...exchange.response, hasFrames } } : exchange;
}

/** Matches a stack frame in plain text, in the HTML pages of finalhandler and errorhandler, and in JSON strings. */
const STACK = /(?:(?:\n|<br> ?|\\n|")(?:&nbsp;| ){2,}|<li>(?:\s|&nbsp;)*)at \S/;

/**
 * Replaces Content-Length and ETag with constants if they match the body, so that a different body is reported once.
 * The length of a compressed body also depends on the compressor, and on when the application flushes.
 */
export function withoutDerived(exchange: Exchange): Exchange {
  const { headers, body, encodedLength } = exchange.response;
  if (!headers || !body || body.length === 0) return exchange;
  const derived = headers.map(([name, value]): readonly [string, string] => {
    const place = name.toLowerCase();
    if (place === 'content-length' && value === String(encodedLength ?? body.length))
      return [name, '(length of the body)'];
    if (place === 'etag' && ALGORITHMS.some((one) => value === weakTag(one, body)))
      return [name, 'W/"(of the body)"'];
    return [name, value];
  });
  return { ...exchange, response: { ...exchange.response, headers: derived } };
}

function normaliseBody(body: Buffer, text: Replace): Buffer {
  const before = body.toString('utf8');
  if (!Buffer.from(before).equals(body)) return body;
  const after = text('body', before);
  return after === before ? body : Buffer.from(after);
}

function isNow(date: string, offset = 0): boolean {
  return Math.abs(Date.parse(date) - Date.now() - offset) < NOW;
}
