/** Masks the secrets of an application in a report, because CI systems store reports and developers share them. */
import type { Exchange, HeaderList, Request } from '../client/messages';
import { headerOf } from '../client/response';
import type { Observation } from '../implementations/protocol';
import { type Difference, toPlaces } from '../judge/compare';
import type { Verdict } from '../judge/judge';
import type { Report } from '../judge/report';
import { Scrubber } from '../recorder/scrub';

/** Masks cookies, credentials, tokens and e-mail addresses in a report, as in recordings. */
export function maskReport(report: Report): Report {
  const scrubber = new Scrubber();
  const mask = (): Verdict[] => report.verdicts.map((verdict) => maskVerdict(verdict, scrubber));
  const verdicts = mask();
  // What a later response shows to be secret may be in an earlier one.
  return { ...report, verdicts: scrubber.known.size > 0 ? mask() : verdicts };
}

function maskVerdict(verdict: Verdict, scrubber: Scrubber): Verdict {
  const seen = [
    maskObservation(verdict.seen[0], scrubber),
    maskObservation(verdict.seen[1], scrubber),
  ] as const;
  const sides = verdict.seen.map((one, index) => ({
    original: toPlaces(one),
    masked: toPlaces(seen[index] as Observation),
  }));
  const mask = (place: string, value: string, side: number): string => {
    const { original, masked } = sides[side] ?? {};
    // A masked exchange knows the types of its bodies. A difference of another run has only its value.
    return original?.get(place) === value ? (masked?.get(place) ?? value) : maskValue(place, value, scrubber);
  };
  const maskDifference = <T extends Difference>(difference: T): T => {
    const { place, expected, actual } = difference;
    return { ...difference, ...withLengths(difference, mask(place, expected, 0), mask(place, actual, 1)) };
  };
  const { problem } = verdict;
  return {
    ...verdict,
    differences: verdict.differences.map(maskDifference),
    declared: verdict.declared.map(maskDifference),
    ...(problem === undefined ? {} : { problem: scrubber.lines(problem) }),
    seen,
  };
}

/** A masked value, with the length that `withLengths` adds. */
export const MASKED = /masked-[\da-f]{4}| \(\d+ characters\)$/g;

/** Adds the original lengths if only masked parts differ, because a cut token is shown by nothing else. */
function withLengths(
  original: Difference,
  expected: string,
  actual: string,
): { expected: string; actual: string } {
  const lengths = [original.expected.length, original.actual.length];
  const isMaskOnly = expected !== actual && expected.replace(MASKED, '') === actual.replace(MASKED, '');
  if (!isMaskOnly || lengths[0] === lengths[1]) return { expected, actual };
  return {
    expected: `${expected} (${lengths[0]} characters)`,
    actual: `${actual} (${lengths[1]} characters)`,
  };
}

/** Masks the value of a difference, in the form that `toPlaces` gives the values of each place. */
function maskValue(place: string, value: string, scrubber: Scrubber): string {
  const header = /\.(?:headers|trailers)\.(.+)$/.exec(place)?.[1];
  const mask = (line: string): string => {
    if (header !== undefined) return scrubber.header(header, line);
    // Headers of informational responses are shown as JSON, and so is a line that the application wrote.
    const [, before = '', json] = /^(\d+ .*? )?(\[\[.*\]\]|".*")$/.exec(line) ?? [];
    return json === undefined ? scrubber.lines(line) : before + maskJson(json, scrubber);
  };
  if (!/\.body$|\.asked$|\.surplus$/.test(place)) return value.split('\n').map(mask).join('\n');
  const [, base64] = /^base64 ([\w+/]+=*)$/.exec(value) ?? [];
  return base64 === undefined
    ? scrubber.lines(value)
    : String(maskBytes(Buffer.from(base64, 'base64'), [], scrubber));
}

function maskJson(json: string, scrubber: Scrubber): string {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'string') return JSON.stringify(scrubber.lines(value));
    const headers = value as Array<[name: string, value: string]>; // A cast: `toPlaces` wrote the JSON.
    return JSON.stringify(headers.map(([name, text]) => [name, scrubber.header(name, text)]));
  } catch {
    return scrubber.lines(json);
  }
}

export function maskObservation(observation: Observation, scrubber: Scrubber = new Scrubber()): Observation {
  const mask = (texts: readonly string[]): string[] => texts.map((text) => scrubber.lines(text));
  return {
    ...observation,
    exchanges: observation.exchanges.map((exchange) => maskExchange(exchange, scrubber)),
    log: maskLines(observation.log, scrubber),
    stdout: maskLines(observation.stdout, scrubber),
    stderr: maskLines(observation.stderr, scrubber),
    deprecations: mask(observation.deprecations),
    uncaught: mask(observation.uncaught),
    ...(observation.threw && { threw: scrubber.lines(observation.threw) }),
    ...(observation.lost && { lost: scrubber.lines(observation.lost) }),
  };
}

/**
 * Masks lines as one text, because a value may be on another line than its name. A line whose text is masked together
 * with the line before becomes empty.
 */
function maskLines(lines: readonly string[], scrubber: Scrubber): string[] {
  if (!lines.slice(0, -1).every((line) => line.endsWith('\n')))
    return lines.map((line) => scrubber.lines(line));
  const masked = scrubber.lines(lines.join('')).match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.map((_line, index) => masked[index] ?? '');
}

export function maskExchange(exchange: Exchange, scrubber: Scrubber): Exchange {
  const { request, sent, response, surplus, uncaught } = exchange;
  const maskHeaders = (headers: HeaderList): HeaderList =>
    headers.map(([name, value]) => [name, scrubber.header(name, value)] as const);
  const maskSent = ({ bytes, ...one }: Request): Request => ({
    ...one,
    target: scrubber.url(one.target),
    headers: maskHeaders(one.headers),
    payload: maskBytes(one.payload, one.headers, scrubber),
    ...(bytes && { bytes: maskRequest(bytes, scrubber) }),
  });
  return {
    ...exchange,
    request: maskSent(request),
    ...(sent && { sent: maskSent(sent) }),
    response: {
      ...response,
      ...(response.headers && { headers: maskHeaders(response.headers) }),
      ...(response.trailers && { trailers: maskHeaders(response.trailers) }),
      ...(response.interim && {
        interim: response.interim.map((head) => ({ ...head, headers: maskHeaders(head.headers) })),
      }),
      ...(response.body && {
        body: maskBytes(
          response.body,
          response.headers ?? [],
          scrubber,
          response.encodedLength !== undefined,
        ),
      }),
    },
    ...(surplus && { surplus: maskBytes(surplus, [], scrubber) }),
    ...(uncaught && { uncaught: uncaught.map((line) => scrubber.lines(line)) }),
  };
}

/** Masks a request that is given as bytes: its lines, and its body by the headers among them. */
function maskRequest(bytes: Buffer, scrubber: Scrubber): Buffer {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return maskBytes(bytes, [], scrubber);
  const head = bytes.toString('latin1', 0, end);
  const headers = head.split('\r\n').map((line): readonly [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const body = maskBytes(bytes.subarray(end + 4), headers, scrubber);
  return Buffer.concat([Buffer.from(`${scrubber.lines(head)}\r\n\r\n`, 'latin1'), body]);
}

/**
 * Masks a body. Of a body that is not text, the report shows the length and a value that depends on the bytes.
 *
 * @param isDecoded Whether the encoding of `Content-Encoding` has been removed.
 */
function maskBytes(bytes: Buffer, headers: HeaderList, scrubber: Scrubber, isDecoded = false): Buffer {
  const description = {
    type: headerOf(headers, 'content-type'),
    encoding: isDecoded ? undefined : headerOf(headers, 'content-encoding'),
  };
  const { bytes: masked, dropped } = scrubber.body(bytes, description);
  if (dropped.length > 0)
    return Buffer.from(
      `(${bytes.length} bytes, ${dropped.join(', ')}: ${scrubber.mask(bytes.toString('latin1'))})`,
    );
  const text = masked.toString();
  // A text may contain header lines, such as the response to TRACE.
  return Buffer.from(text).equals(masked) ? Buffer.from(scrubber.lines(text)) : masked;
}
