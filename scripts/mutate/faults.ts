/** Reads the lists of seeded faults, and applies a fault to the text of its file. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, parse as parsePath } from 'node:path';
import { parse } from '@babel/parser';
import traverse from '@babel/traverse';
import type { Node } from '@babel/types';
import * as v from 'valibot';
import { parse as parseYaml } from 'yaml';

const text = v.string();
const SCHEMA = v.strictObject({
  /** A sentence that says what the fault does wrong. */
  name: text,
  /**
   * The path below `build/`, the output of tsc; for faults of types below `src/`; or that of the file of a tool that its
   * spec runs: `parity/recorder/scrub.ts`, `dist/parity/command/migrate.js`.
   */
  file: text,
  /** The name of the function or member that contains the code, to find it if the file has the same code elsewhere. */
  in: v.optional(text),
  /** The code to replace, whatever its white space. It must occur exactly once. */
  code: v.optional(text),
  /** The code that replaces it. */
  fault: v.optional(text, ''),
  /** Instead of `code`: the name of a member, which gets another name. */
  rename: v.optional(text),
  /** The ids of the clauses that the fault breaks. */
  breaks: v.optional(v.array(text), []),
  /** Whether only a framework in a vm context, as in Jest, shows the fault. */
  inRealm: v.optional(v.boolean()),
  /** The circumstance that must catch the fault, which the scenarios do not catch without it. */
  circumstance: v.optional(text),
  /** The spec that must catch the fault, because no exchange and no log line shows it; undefined for the scenarios. */
  spec: v.optional(text),
  /** Why nothing can show the fault. */
  survives: v.optional(text),
});

export type Fault = v.InferOutput<typeof SCHEMA>;
export type Seeded = Fault & { readonly module: string };

const FOLDER = join(__dirname, 'faults');

export const TYPE_FAULTS: readonly Fault[] = readFaults(join(__dirname, 'type-faults.yaml'));

export const FAULTS: readonly Seeded[] = readdirSync(FOLDER).flatMap((file) =>
  readFaults(join(FOLDER, file)).map((fault) => ({ ...fault, module: parsePath(file).name })),
);

/** One fault per module, of those that scenarios catch. */
export const SAMPLE: readonly Seeded[] = [...new Set(FAULTS.map(({ module }) => module))].flatMap((module) =>
  FAULTS.filter((fault) => fault.module === module && !fault.spec && !fault.circumstance).slice(0, 1),
);

function readFaults(file: string): Fault[] {
  return v.parse(v.array(SCHEMA), parseYaml(readFileSync(file, 'utf8')));
}

type Place = readonly [start: number, end: number, replacement: string];

/** @returns The text with a fault. @throws Error unless the code of the fault occurs exactly once. */
export function applyFault(source: string, fault: Fault): string {
  const { name, file, code, rename } = fault;
  const places = rename === undefined ? placesOf(fault, source) : namesOf(rename, source);
  const [first] = places;
  if (!first || places.length > 1)
    throw new Error(
      `fault "${name}": expected its code once in ${file}, found it ${places.length} times: ${code ?? rename}`,
    );
  const [start, end, replacement] = first;
  return source.slice(0, start) + replacement + source.slice(end);
}

/** @returns Where the code of a fault is, and what replaces it. */
function placesOf({ in: scope, code = '', fault }: Fault, source: string): Place[] {
  const pattern = new RegExp(code.trim().split(/\s+/).map(escaped).join('\\s+'), 'g');
  const all = [...source.matchAll(pattern)].map(
    ({ index, 0: { length } }): Place => [index, index + length, fault],
  );
  if (scope === undefined) return all;
  const scopes = definitionsIn(source).filter(({ name }) => name === scope);
  return all.filter(([start, end]) => scopes.some(({ node }) => isIn(node, start, end)));
}

function escaped(code: string): string {
  return code.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function isIn(node: Node, start: number, end: number): boolean {
  return (node.start ?? 0) <= start && end <= (node.end ?? 0);
}

/** @returns Where an object or a class has a member of this name, and another name for it. */
function namesOf(member: string, source: string): Place[] {
  return definitionsIn(source).flatMap(({ name, node, key }): Place[] => {
    if (name !== member || !/^(?:Object|Class)(?:Method|Property)$/.test(node.type)) return [];
    const isShorthand = node.type === 'ObjectProperty' && node.shorthand;
    return [[key.start ?? 0, key.end ?? 0, isShorthand ? `${name}X: ${name}` : `${name}X`]];
  });
}

interface Definition {
  readonly name: string;
  readonly node: Node;
  readonly key: Node;
}

const parsed = new Map<string, Definition[]>();

/** @returns What a file defines: functions, variables, members, and assigned properties such as `exports.logger`. */
function definitionsIn(source: string): Definition[] {
  const known = parsed.get(source);
  if (known) return known;
  const found: Definition[] = [];
  parsed.set(source, found);
  traverse(parse(source, { sourceType: 'unambiguous', plugins: ['typescript'] }), {
    enter({ node }) {
      const { key, id, left } = node as { key?: Node; id?: Node; left?: Node };
      const named = key ?? id ?? left;
      if (named) found.push({ name: source.slice(named.start ?? 0, named.end ?? 0), node, key: named });
    },
  });
  return found;
}
