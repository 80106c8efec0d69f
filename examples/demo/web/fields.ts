// Reads and checks the input of clients: query strings, forms and JSON.
import { findStation } from '../desk/railway';
import { DeskError, type Problems } from './desk-error';

/** Checks one value. Returns the accepted value, or a problem as a sentence for the visitor. */
type Field<T> = (value: unknown) => { value: T } | { problem: string };
type Fields = Record<string, Field<unknown>>;
export type Values<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never };

export type Reading<F extends Fields> =
  | { ok: true; values: Values<F> }
  | { ok: false; problems: Problems; given: Record<keyof F, string> };

/**
 * Reads and checks all fields of an input.
 *
 * @param input A form, a JSON body or a query. Its other members are ignored.
 */
export function readFields<F extends Fields>(fields: F, input: unknown): Reading<F> {
  const source = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
  const values: Record<string, unknown> = {};
  const problems: Problems = {};
  const given: Record<string, string> = {};
  for (const [name, field] of Object.entries(fields)) {
    const raw = Object.hasOwn(source, name) ? source[name] : undefined;
    const result = field(raw);
    given[name] = typeof raw === 'string' ? raw : '';
    if ('problem' in result) problems[name] = result.problem;
    else values[name] = result.value;
  }
  if (Object.keys(problems).length === 0) return { ok: true, values: values as Values<F> };
  return { ok: false, problems, given: given as Record<keyof F, string> };
}

/**
 * Does the same as `readFields`, but throws a DeskError (422) for invalid input: the caller has no form to show again.
 */
export function requireFields<F extends Fields>(fields: F, input: unknown): Values<F> {
  const reading = readFields(fields, input);
  if (reading.ok) return reading.values;
  throw new DeskError(422, 'Some fields are not valid.', { problems: reading.problems });
}

export function text(min: number, max: number): Field<string> {
  return (value) => {
    if (value !== undefined && typeof value !== 'string') return { problem: 'Must be text.' };
    const trimmed = (value ?? '').trim();
    if (trimmed.length < min)
      return { problem: min === 1 ? 'Is needed.' : `Needs at least ${min} characters.` };
    if (trimmed.length > max) return { problem: `Has room for ${max} characters.` };
    return { value: trimmed };
  };
}

/**
 * Checks a whole number from `min` to `max`.
 *
 * @param fallback The value if the field is missing or empty. Without it, such a field is invalid.
 */
export function integer(min: number, max: number, fallback?: number): Field<number> {
  return (value) => {
    if ((value === undefined || value === '') && fallback !== undefined) return { value: fallback };
    const number =
      typeof value === 'number' ? value : /^\d{1,9}$/.test(String(value)) ? Number(value) : Number.NaN;
    if (Number.isInteger(number) && number >= min && number <= max) return { value: number };
    return { problem: `Must be a whole number from ${min} to ${max}.` };
  };
}

export function oneOf<const T extends string>(choices: readonly T[]): Field<T> {
  return (value) => {
    const choice = choices.find((candidate) => candidate === value);
    return choice === undefined ? { problem: `Must be one of: ${choices.join(', ')}.` } : { value: choice };
  };
}

export function stationId(): Field<string> {
  return (value) =>
    typeof value === 'string' && findStation(value) ? { value } : { problem: 'Is not one of our stations.' };
}

/** Checks a path on this site that a form may redirect to. Any other value becomes `/`. */
export function localPath(): Field<string> {
  return (value) => ({
    value: typeof value === 'string' && /^\/(?![/\\])[\x21-\x7e]{0,200}$/.test(value) ? value : '/',
  });
}
