/** The values that editors and Postman generate for `{{$guid}}` and similar variables. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/**
 * Returns a new value: `$guid`, `$timestamp -1 d`, `$random.integer(1, 5)`, `$processEnv HOME`.
 *
 * @returns `undefined` for a name that is not known.
 */
export function generated(expression: string): string | undefined {
  const [, name = '', given = ''] = /^\$([\w.]+)\s*(.*)$/s.exec(expression) ?? [];
  const args = given
    .replace(/^\(|\)$/g, '')
    .split(/[\s,]+/)
    .filter(Boolean);
  const [first = '', second = ''] = args;
  switch (name) {
    case 'guid':
    case 'uuid':
    case 'randomUUID':
    case 'random.uuid':
      return randomUUID();
    case 'timestamp':
      return later(args)?.toFixed(0);
    case 'isoTimestamp':
      return new Date().toISOString();
    case 'datetime':
    case 'localDatetime':
      return formatTime(first, later(args.slice(1), 1));
    case 'randomInt':
    case 'random.integer':
      return integer(first, second);
    case 'random.float':
      return String(
        Number(first || 0) + (Number(second || 1000) - Number(first || 0)) * (randomInt(2 ** 32) / 2 ** 32),
      );
    case 'random.alphabetic':
    case 'random.alphanumeric':
      return Array.from({ length: Number(first || 10) }, () => LETTERS[randomInt(LETTERS.length)]).join('');
    case 'random.hexadecimal':
      return randomBytes(Number(first || 10))
        .toString('hex')
        .slice(0, Number(first || 10));
    case 'random.email':
    case 'randomEmail':
      return `${randomBytes(6).toString('hex')}@example.org`;
    case 'processEnv':
      return process.env[first.replace(/^%/, '')];
    default:
      return name.startsWith('env.') ? process.env[name.slice(4)] : undefined;
  }
}

function integer(from: string, to: string): string | undefined {
  const [least, most] = [Number(from || 0), Number(to || 1000)];
  return Number.isInteger(least) && Number.isInteger(most) && least < most
    ? String(randomInt(least, most))
    : undefined;
}

/** Returns the time in seconds, or in milliseconds with unit 1: now, or with an offset such as `-1 d`. */
function later([amount = '0', unit = 's']: readonly string[], resolution = 1000): number | undefined {
  const length = UNITS[unit] ?? { M: 2_592_000_000, y: 31_536_000_000 }[unit];
  const time = Date.now() + Number(amount) * (length ?? Number.NaN);
  return Number.isNaN(time) ? undefined : Math.floor(time / resolution);
}

/** Other formats than the two with a name are not known. */
function formatTime(format: string, time: number | undefined): string | undefined {
  if (time === undefined) return undefined;
  if (format === 'iso8601') return new Date(time).toISOString();
  return format === 'rfc1123' ? new Date(time).toUTCString() : undefined;
}
