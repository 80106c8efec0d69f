/**
 * Recognises ids, tokens, times and durations, by their names and their text. If such a value varies, `shape.ts` compares
 * its shape; other values that vary, such as random words or counts, are reported as not compared.
 */
import { areTexts, SPLITTERS, type Values } from './varying';

/** Names of members, parameters and headers whose values are ids, tokens, times or what is left of a limit. */
const NAME =
  /(?:^|[^a-z])(?:id|ids|uuid|guid|key|slug|code|token|number|no|nonce|csrf|etag|pid|port|time|times|date|at|on|since|age|now|ts|timestamp|uptime|up|duration|elapsed|took|latency|ms|seconds|expires|iat|exp|nbf|ttl|remaining|reset|retry|t|r|created|updated|modified|started|finished|signature|hash|session|sid)$|[a-z\d](?:I[dD]s?|Uuid|Key|Slug|Code|Token|Number|Time|Date|At|On|Since|Age|Now|Stamp|Uptime|Ms|Seconds|Expires|Remaining|Reset|Signature|Hash|Nonce|Session|Port|Pid)$/;
/** Names of headers with such values. */
const HEADER =
  /^(?:set-cookie|etag|date|age|expires|last-modified|location|link|retry-after|server-timing|x-response-time|x-runtime|(?:x-)?rate-?limit.*|.*-(?:id|token|time|key|nonce|reset|remaining))$/i;
/** A token, or an id of at least eight characters with a digit, or the digits of a time. */
const TOKEN = /^(?=.*\d).{8}|^.{16}/s;
const UNIT = /^(?:ms|s|µs|us|ns|m|h|%)$/i;

/**
 * Whether everything that varies at a place is recognised.
 *
 * @param place As in the report: `1.body`, `stdout.2`.
 * @param a The values of all runs of the baseline, and `b` those of the candidate.
 */
export function isRecognised(place: string, a: Values, b: Values): boolean {
  const all = [...a, ...b];
  if (/\.(?:status|framing|connection|fault|headers|interim|trailers)$/.test(place) || !areTexts(all))
    return false;
  const header = /\.headers\.(.+)$/.exec(place)?.[1];
  if (header !== undefined && HEADER.test(header)) return true;
  return areRecognised(all, '');
}

function areRecognised(texts: readonly string[], name: string): boolean {
  if (new Set(texts).size === 1) return true;
  const parsed = texts.map(parseContainer);
  if (parsed.every((one) => one !== undefined)) return areLeavesRecognised(parsed, name);
  return isRecognisedName(name) || SPLITTERS.some((split) => arePartsRecognised(texts.map(split)));
}

function areLeavesRecognised(values: readonly unknown[], name: string): boolean {
  const [first] = values;
  if (values.every((value) => JSON.stringify(value) === JSON.stringify(first))) return true;
  if (values.every(Array.isArray)) {
    const lists = values as readonly (readonly unknown[])[];
    const { length } = lists[0] ?? [];
    return lists.every((list) => list.length === length)
      ? (lists[0] ?? []).every((_one, index) =>
          areLeavesRecognised(
            lists.map((list) => list[index]),
            name,
          ),
        )
      : false;
  }
  if (values.every((value) => typeof value === 'object' && value !== null && !Array.isArray(value))) {
    const objects = values as ReadonlyArray<Readonly<Record<string, unknown>>>;
    const names = Object.keys(first as object);
    if (objects.some((one) => Object.keys(one).join('\n') !== names.join('\n'))) return false;
    return names.every((member) =>
      areLeavesRecognised(
        objects.map((one) => one[member]),
        member,
      ),
    );
  }
  const areNumbers = values.every((value) => typeof value === 'number');
  if (areNumbers) return isRecognisedName(name) || values.every((value) => TOKEN.test(String(value)));
  return values.every((value) => typeof value === 'string') && areRecognised(values as string[], name);
}

function isRecognisedName(name: string): boolean {
  return name !== '' && (NAME.test(name) || HEADER.test(name));
}

/** @param runs The words of each run, and the characters between them. */
function arePartsRecognised(runs: readonly string[][]): boolean {
  const [first = []] = runs;
  if (runs.some(({ length }) => length !== first.length)) return false;
  return first.every((part, index) => {
    const parts = runs.map((run) => run[index] ?? '');
    if (parts.every((one) => one === part)) return true;
    if (parts.every((one) => TOKEN.test(one))) return true;
    return isMeasure(parts, first, index);
  });
}

/** Whether parts are numbers with a unit, of a time such as `12:30:59`, or after a name such as `t=`. */
function isMeasure(parts: readonly string[], first: readonly string[], index: number): boolean {
  if (!parts.every((one) => /^[\d.]+[a-zµ%]*$/i.test(one))) return false;
  if (parts.every((one) => /^[\d.]+(?:ms|s|µs|us|ns|m|h|%)$/i.test(one))) return true;
  const near = first.slice(Math.max(0, index - 6), index + 4);
  const at = Math.min(index, 6);
  const [next = '', second = ''] = near.slice(at + 1);
  if (UNIT.test(next) || (next === ' ' && UNIT.test(second))) return true;
  if (near[at - 1] === ':' && /^\d+$/.test(near[at - 2] ?? '')) return true;
  if (next === ':' && /^\d+/.test(second)) return true;
  const before = near.slice(0, at).join('');
  // A number whose fraction varies.
  if (/(?:^|[^\d.])\d+\.$/.test(before) || (next === '.' && /^\d+$/.test(second))) return true;
  const [name] = /[\w-]+(?=["']?\s*[=:#]?\s*["'[(]?$)/.exec(before) ?? [];
  return name !== undefined && isRecognisedName(name);
}

function parseContainer(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
