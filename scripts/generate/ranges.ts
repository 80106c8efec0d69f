// Records in fixtures/ranges/ how Express parses Range headers in req.range() and serves them in res.sendFile(). Run
// this script after an update of Express or a change to the headers below, then `npm run generate -- fixtures --index`.
//
//   npm run generate -- ranges               writes fixtures/ranges/
//   npm run generate -- ranges --check    writes nothing; exit code 1 if a new recording differs
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Request } from 'express';
import { parse } from 'yaml';
import { askForRanges } from '../../spec/4-endpoints/ask-for-ranges';
import type { Ranges } from '../../spec/4-endpoints/ranges';
import { runGenerator } from './page';

/**
 * Sizes of the requested resource in bytes. The last size is only parsed: many file systems refuse files of that size.
 */
const SIZES = [0, 1, 10, 2 ** 31, Number.MAX_SAFE_INTEGER];
const LARGEST_FILE = 2 ** 31;

/** The values of Range to record, by name of the file below fixtures/ranges/. */
const FIELDS: Readonly<Record<string, { about: string; fields: readonly string[] }>> = parse(
  readFileSync(join(__dirname, 'ranges.yaml'), 'utf8'),
);

runGenerator(compose);

async function compose(): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const [name, { about, fields }] of Object.entries(FIELDS)) {
    const all = fields.flatMap((field) => SIZES.map((size) => ({ field, size })));
    const sent = all.filter(isSendable);
    const responses = await askForRanges(express, sent);
    const cases = all.map((one) => {
      const response = responses[sent.indexOf(one)];
      const { field, size } = one;
      const [ranges, combined] = [read(field, size), read(field, size, true)];
      return { field, size, ranges, combined, ...(response && { response }) };
    });
    files[`fixtures/ranges/${name}.json`] = format(about, cases);
  }
  return files;
}

/** Whether a client can send the header, and the file system can store the file. */
function isSendable({ field, size }: { field: string; size: number }): boolean {
  return size <= LARGEST_FILE && /^[\t\x20-\x7e]*$/.test(field);
}

function read(field: string, size: number, combine = false): Ranges {
  const req = Object.assign(Object.create(express.request), { headers: { range: field } }) as Request;
  const ranges = req.range(size, { combine });
  if (ranges === undefined) throw new Error(`req.range() found no Range header for ${JSON.stringify(field)}`);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2) return 'malformed';
  return (ranges as Array<{ start: number; end: number }>).map(({ start, end }) => [start, end]);
}

function format(about: string, cases: readonly object[]): string {
  const recordedFrom = Object.fromEntries(
    ['express', 'range-parser', 'send'].map((module) => [module, require(`${module}/package.json`).version]),
  );
  const lines = cases.map((one) => `    ${JSON.stringify(one)}`).join(',\n');
  const head = JSON.stringify({ $schema: './schema.json', about, recordedFrom }, undefined, 2).slice(0, -2);
  return `${head},\n  "cases": [\n${lines}\n  ]\n}\n`;
}
