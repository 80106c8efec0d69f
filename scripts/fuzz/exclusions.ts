/**
 * Differences that are not reported. Each entry is a divergence of `parity/judge/divergences.ts`, or states why it is
 * no difference.
 */
import type { Observation, Program } from './program';

export interface Exclusion {
  /** The id of a declared divergence, or a new name. */
  readonly id: string;
  readonly why: string;
  /** The part of the received or recorded text that is ignored; or an application that is not compared. */
  readonly hides?: RegExp;
  readonly matches?: RegExp;
}

const EXCLUSIONS: readonly Exclusion[] = [
  {
    id: 'own-app',
    why:
      'Inside a mounted application a request may have an own property `app` in place of another prototype: ' +
      'a change of prototype costs more than all the rest of a small request.',
    hides: /(?<=keys=[^ ]*),app\b/g,
  },
  {
    id: 'continue-in-turn',
    why:
      'A response that waits for the one before it comes after its own `100 Continue`, 102 and 103; with Express it ' +
      'comes around them.',
    hides: /HTTP\/1\.1 1\d\d [^\r]*\r\n(?:[^\r]+\r\n)*\r\n/g,
  },
  {
    id: 'etag-encoding',
    why: 'An own `etag` function is called with `utf8` for a string body, with undefined by Express.',
    hides: /(?<=^given\(buffer ".*", )(?:undefined|"utf8")(?=\)$)/gs,
  },
  {
    id: 'back',
    why: '`back` in res.location() and res.redirect() is the Referer, or `/`; Express sends `back`.',
    matches: /"call":"res\.(?:location|redirect)","args":\[(?:[^\]]*,)?"back"\]/,
  },
  {
    id: 'file-after-response',
    why:
      'For a file after the response has ended, the error depends on which comes first, the end of the response or the ' +
      'state of the file from another thread: in Express, too.',
    hides:
      /(?<=^given\(Error: )(?:Request aborted code="ECONNABORTED"|Can't set headers after they are sent\..*)(?=\)$)/gs,
  },
  {
    id: 'reads-request',
    why: 'Which way a request takes depends on its version and on `req.res`: a proxy in its place sees them read.',
    hides: /^proxy (?:httpVersionMajor|res)$/,
  },
  {
    id: 'name-length',
    why: '`X-Powered-By: Nozomi` is one byte shorter than `X-Powered-By: Express`.',
    hides: /(?<=^res\.writableLength = )\d+$/,
  },
];

/** @returns The entries that together explain all differences between two runs; none if one difference remains. */
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
