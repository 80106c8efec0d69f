/** Parses queries with nested objects and arrays, with the options that Express passes to qs. */
import qs from 'qs';

export function parseNested(query: string): unknown {
  return qs.parse(query, { allowPrototypes: true });
}
