/**
 * Lists the differences that the fuzzer does not report, each with a reason. `parity/judge/divergences.ts` declares
 * some of them.
 */
import type { Observation, Program } from './program';

export interface Exclusion {
  /** The id of a declared divergence, or a name that only the fuzzer uses. */
  readonly id: string;
  readonly why: string;
  /** Matches the text to ignore in received data and in events. */
  readonly hides?: RegExp;
  /** Matches the JSON of an application that is not compared at all. */
  readonly matches?: RegExp;
}

const EXCLUSIONS: readonly Exclusion[] = [
  {
    id: 'own-app',
    why:
      'In a mounted application, a request may have its own property `app` instead of another prototype, because ' +
      'changing a prototype is slow.',
    hides: /(?<=keys=[^ ]*),app\b/g,
  },
  {
    id: 'continue-in-turn',
    why:
      'With pipelined requests, a response is sent after its own interim responses (100, 102, 103). Express may send ' +
      'parts of it before them.',
    hides: /HTTP\/1\.1 1\d\d [^\r]*\r\n(?:[^\r]+\r\n)*\r\n/g,
  },
  {
    id: 'etag-encoding',
    why: "For a string body, the application's `etag` function is called with `utf8`; Express passes undefined.",
    hides: /(?<=^given\(buffer ".*", )(?:undefined|"utf8")(?=\)$)/gs,
  },
  {
    id: 'back',
    why: '`res.location("back")` and `res.redirect("back")` send the Referer or `/`; Express sends `back`.',
    matches: /"call":"res\.(?:location|redirect)","args":\[(?:[^\]]*,)?"back"\]/,
  },
  {
    id: 'file-after-response',
    why:
      'When a file is sent after the response has ended, the error depends on what happens first: the end of the ' +
      'response, or `fs.stat` in another thread. This is so in Express, too.',
    hides:
      /(?<=^given\(Error: )(?:Request aborted code="ECONNABORTED"|Can't set headers after they are sent\..*)(?=\)$)/gs,
  },
  {
    id: 'reads-request',
    why: 'The framework reads `req.httpVersionMajor` and `req.res`; a proxy that replaces the request records this.',
    hides: /^proxy (?:httpVersionMajor|res)$/,
  },
  {
    id: 'name-length',
    why: '`X-Powered-By: Nozomi` is one byte shorter than `X-Powered-By: Express`.',
    hides: /(?<=^res\.writableLength = )\d+$/,
  },
];

/** @returns The entries that together explain all differences between two runs; empty if a difference remains. */
export function explain(
  program: Program,
  wanted: Observation,
  came: Observation,
  isSame: (wanted: Observation, came: Observation) => boolean,
): readonly Exclusion[] {
  const text = JSON.stringify(program);
  const whole = EXCLUSIONS.find(({ matches }) => matches?.test(text));
  if (whole) return [whole];
  if (!isSame(hideAll(wanted), hideAll(came))) return [];
  return EXCLUSIONS.filter(
    ({ hides }) => hides && [wanted, came].some((seen) => !isSame(hide(seen, hides), seen)),
  );
}

function hideAll(observation: Observation): Observation {
  return EXCLUSIONS.reduce((rest, { hides }) => (hides ? hide(rest, hides) : rest), observation);
}

function hide({ received, events }: Observation, hides: RegExp): Observation {
  const without = (texts: readonly string[]): string[] =>
    texts.map((text) => text.replace(hides, '')).filter((text) => text !== '');
  return { received: without(received), events: without(events) };
}
