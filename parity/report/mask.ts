/** Masks the secrets of an application in a report, because CI systems store reports and developers share them. */
import type { Exchange, HeaderList } from '../client/messages';
import type { Observation } from '../implementations/protocol';
import type { Difference } from '../judge/compare';
import type { Verdict } from '../judge/judge';
import type { Report } from '../parity';
import { Scrubber } from '../recorder/scrub';

/** Masks cookies, credentials, tokens and e-mail addresses in a report, as in recordings. */
export function maskReport(report: Report): Report {
  const scrubber = new Scrubber();
  return { ...report, verdicts: report.verdicts.map((verdict) => maskVerdict(verdict, scrubber)) };
}

function maskVerdict(verdict: Verdict, scrubber: Scrubber): Verdict {
  const maskDifference = <T extends Difference>(difference: T): T => {
    const mask = (value: string): string => maskValue(difference.place, value, scrubber);
    return { ...difference, wanted: mask(difference.wanted), came: mask(difference.came) };
  };
  const { problem } = verdict;
  return {
    ...verdict,
    differences: verdict.differences.map(maskDifference),
    declared: verdict.declared.map(maskDifference),
    ...(problem === undefined ? {} : { problem: scrubber.lines(problem) }),
    seen: [maskObservation(verdict.seen[0], scrubber), maskObservation(verdict.seen[1], scrubber)],
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
  return /\.body$|\.asked$|\.surplus$/.test(place)
    ? scrubber.lines(value)
    : value.split('\n').map(mask).join('\n');
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
  const mask = (lines: readonly string[]): string[] => lines.map((line) => scrubber.lines(line));
  return {
    ...observation,
    exchanges: observation.exchanges.map((exchange) => maskExchange(exchange, scrubber)),
    log: mask(observation.log),
    stdout: mask(observation.stdout),
    stderr: mask(observation.stderr),
    deprecations: mask(observation.deprecations),
    uncaught: mask(observation.uncaught),
    ...(observation.threw && { threw: scrubber.lines(observation.threw) }),
    ...(observation.lost && { lost: scrubber.lines(observation.lost) }),
  };
}

export function maskExchange(exchange: Exchange, scrubber: Scrubber): Exchange {
  const { request, response, surplus, uncaught } = exchange;
  const maskHeaders = (headers: HeaderList): HeaderList =>
    headers.map(([name, value]) => [name, scrubber.header(name, value)] as const);
  const { bytes, ...rest } = request;
  return {
    ...exchange,
    request: {
      ...rest,
      target: scrubber.text(request.target),
      headers: maskHeaders(request.headers),
      payload: maskBytes(request.payload, scrubber),
      ...(bytes && { bytes: maskBytes(bytes, scrubber) }),
    },
    response: {
      ...response,
      ...(response.headers && { headers: maskHeaders(response.headers) }),
      ...(response.trailers && { trailers: maskHeaders(response.trailers) }),
      ...(response.interim && {
        interim: response.interim.map((head) => ({ ...head, headers: maskHeaders(head.headers) })),
      }),
      ...(response.body && { body: maskBytes(response.body, scrubber) }),
    },
    ...(surplus && { surplus: maskBytes(surplus, scrubber) }),
    ...(uncaught && { uncaught: uncaught.map((line) => scrubber.lines(line)) }),
  };
}

function maskBytes(bytes: Buffer, scrubber: Scrubber): Buffer {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? Buffer.from(scrubber.lines(text)) : bytes;
}
