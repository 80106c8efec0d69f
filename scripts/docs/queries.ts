/** Tries the queries of `queries.yaml`, and all names that the search of the site must find. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { GROUPS } from '../groups';
import { referencePages } from './reference';
import { type Index, search } from './search';

const FIRST = 3;
const root = join(__dirname, '..', '..');

const QUERIES: readonly (readonly [query: string, page: string])[] = Object.entries(
  parse(readFileSync(join(__dirname, 'queries.yaml'), 'utf8')) as Record<string, readonly string[]>,
).flatMap(([page, queries]) => queries.map((query) => [query, page] as const));

/** Names that must be found, each with its page; on any page if there is none. */
const NAMES: readonly (readonly [name: string, page?: string])[] = [
  ...namesIn('docs/errors.md').map((code) => [code, 'docs/errors.md'] as const),
  ...namesIn('docs/settings.md').map((setting) => [setting, 'docs/settings.md'] as const),
  ...namesIn('docs/routes-and-doctor.md').map((code) => [code, 'docs/routes-and-doctor.md'] as const),
  ...referencePages().flatMap(({ children }) => children.map(({ title }) => [title, title] as const)),
  ...Object.entries(GROUPS).flatMap(([group, commands]) =>
    Object.keys(commands).map((name) => [`npm run ${group} -- ${name}`] as const),
  ),
  ...headersInClauses().map((header) => [header] as const),
];

/** @returns The number of queries and of names, and one line for each whose page is not among the first results. */
export function trySearch(index: Index): { queries: number; names: number; lost: string[] } {
  const lost = [...QUERIES, ...NAMES].flatMap(([query, page]) => {
    const found = search(index, query)
      .slice(0, FIRST)
      .map(({ title }) => title);
    const wanted = page?.endsWith('.md') ? headingOf(page) : page;
    if (wanted === undefined ? found.length > 0 : found.includes(wanted)) return [];
    return [
      `search for "${query}": expected "${wanted ?? 'any page'}", found ${found.join(' · ') || 'nothing'}`,
    ];
  });
  return { queries: QUERIES.length, names: NAMES.length, lost };
}

function headingOf(file: string): string {
  return /^# (.*)$/m.exec(read(file))?.[1] ?? file;
}

/** @returns The first cells of the tables of a page that are one name. */
function namesIn(file: string): string[] {
  return [...read(file).matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
}

/** @returns The names of headers, such as `Content-Type`, that the specification of the framework writes as code. */
function headersInClauses(): string[] {
  const names = read('spec/framework.md').matchAll(
    /`((?:[A-Z][A-Za-z]*-)+[A-Z][A-Za-z]*|ETag|Vary|Link|Allow)`/g,
  );
  return [...new Set([...names].map(([, name = '']) => name))];
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
