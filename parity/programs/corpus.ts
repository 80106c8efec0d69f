/** Reads the applications of `corpus.yaml`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Connection, Program, Series } from './program';

const GET: Connection = { send: ['GET / HTTP/1.1\r\nHost: h\r\n\r\n'], aborts: false };

export const CORPUS: Readonly<Record<Series, Readonly<Record<string, Program>>>> = parse(
  readFileSync(join(__dirname, 'corpus.yaml'), 'utf8'),
  (key, value: unknown) => {
    if (key === 'use' || key === 'handlers') return (value as unknown[]).map(toHandler);
    if (key === 'handler') return toHandler(value);
    return isProgram(value) ? { listeners: [], actions: [GET], ...value } : value;
  },
);

/** Makes a handler of a list of steps. */
function toHandler(value: unknown): unknown {
  return Array.isArray(value) ? { arity: 3, look: 'path', steps: value } : value;
}

/** Whether an object is an application; a router also has the property `kind`. */
function isProgram(value: unknown): value is Partial<Program> {
  return typeof value === 'object' && value !== null && 'build' in value && !('kind' in value);
}
