/** Masks the secrets of the application in a report, because CI systems store reports and developers share them. */
import type { Exchange, HeaderList } from '../client/messages';
import type { Observation } from '../implementations/protocol';
import type { Difference } from '../judge/compare';
import type { Verdict } from '../judge/judge';
import type { Report } from '../parity';
import { Scrubber } from '../recorder/scrub';

/** @returns The report with cookies, credentials, tokens and e-mail addresses masked as in recordings. */
export function maskReport(report: Report): Report {
  const scrubber = new Scrubber();
  return { ...report, verdicts: report.verdicts.map((verdict) => maskVerdict(verdict, scrubber)) };
}

function maskVerdict(verdict: Verdict, scrubber: Scrubber): Verdict {
  const maskDifference = <T extends Difference>(difference: T): T => {
    const header = /\.(?:headers|trailers)\.(.+)$/.exec(difference.place)?.[1];
    const mask = (value: string): string =>
      header === undefined
        ? maskText(value, scrubber)
        : value
            .split('\n')
            .map((line) => scrubber.header(header, line))
            .join('\n');
    return { ...difference, wanted: mask(difference.wanted), came: mask(difference.came) };
  };
  const { problem } = verdict;
  return {
    ...verdict,
    differences: verdict.differences.map(maskDifference),
    declared: verdict.declared.map(maskDifference),
    ...(problem === undefined ? {} : { problem: scrubber.text(problem) }),
    seen: [maskObservation(verdict.seen[0], scrubber), maskObservation(verdict.seen[1], scrubber)],
  };
}

export function maskObservation(observation: Observation, scrubber: Scrubber = new Scrubber()): Observation {
  const mask = (lines: readonly string[]): string[] => lines.map((line) => maskText(line, scrubber));
  return {
    ...observation,
    exchanges: observation.exchanges.map((exchange) => maskExchange(exchange, scrubber)),
    log: mask(observation.log),
    stdout: mask(observation.stdout),
    stderr: mask(observation.stderr),
    uncaught: mask(observation.uncaught),
  };
}

function maskExchange(exchange: Exchange, scrubber: Scrubber): Exchange {
  const { request, response } = exchange;
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
      ...(response.body && { body: maskBytes(response.body, scrubber) }),
    },
  };
}

/** Masks the text of a request or response, which begins with its headers. */
function maskText(text: string, scrubber: Scrubber): string {
  const headers = text.replace(
    /^((?:set-)?cookie|(?:proxy-)?authorization): *([^\r\n]*)/gim,
    (_all, name: string, value: string) => `${name}: ${scrubber.header(name, value)}`,
  );
  return scrubber.text(headers);
}

function maskBytes(bytes: Buffer, scrubber: Scrubber): Buffer {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? Buffer.from(maskText(text, scrubber)) : bytes;
}
