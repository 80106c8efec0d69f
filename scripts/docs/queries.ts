/** Tries the queries of `queries.yaml`, and all names that the search of the site must find. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { GROUPS } from '../groups';
import { referencePages } from './reference';
import { type Index, search } from './search';
import { titleOf } from './stage';

const root = join(__dirname, '..', '..');

interface Query {
  readonly query: string;
  /** The title of the page; undefined for any page. */
  readonly expected: string | undefined;
  /** The page must be among so many results. */
  readonly first: number;
}

const QUERIES: readonly Query[] = Object.values(
  parse(readFileSync(join(__dirname, 'queries.yaml'), 'utf8')) as Record<
    string,
    Record<string, readonly string[]>
  >,
).flatMap((pages) =>
  Object.entries(pages).flatMap(([page, queries]) =>
    queries.map((query) => ({ query: String(query), expected: titleOfPage(page), first: 1 })),
  ),
);

/** Names that must be found, each with its page; on any page if there is none. */
const NAMES: readonly Query[] = (
  [
    ...namesIn('docs/errors.md').map((code) => [code, 'docs/errors.md'] as const),
    ...namesIn('docs/settings.md').map((setting) => [setting, 'docs/settings.md'] as const),
    ...namesIn('docs/routes-and-doctor.md').map((code) => [code, 'docs/routes-and-doctor.md'] as const),
    ...referencePages().flatMap(({ children }) => children.map(({ title }) => [title, title] as const)),
    ...Object.entries(GROUPS).flatMap(([group, commands]) =>
      Object.keys(commands).map((name) => [`npm run ${group} -- ${name}`] as const),
    ),
    ...headersInClauses().map((header) => [header] as const),
  ] as readonly (readonly [name: string, page?: string])[]
).map(([query, page]) => ({ query, expected: page && titleOfPage(page), first: 3 }));

/** @returns The number of queries and of names, and one line for each whose page is not among the first results. */
export function trySearch(index: Index): { queries: number; names: number; lost: string[] } {
  const lost = [...QUERIES, ...NAMES].flatMap(({ query, expected, first }) => {
    const found = search(index, query).map(({ title }) => title);
    if (expected === undefined ? found.length > 0 : found.slice(0, first).includes(expected)) return [];
    const shown = found.slice(0, 3).join(' · ') || 'nothing';
    return [`search for "${query}": expected "${expected ?? 'any page'}", found ${shown}`];
  });
  return { queries: QUERIES.length, names: NAMES.length, lost };
}

/** @param page A file, or the name of a member. */
function titleOfPage(page: string): string {
  return page.endsWith('.md') ? titleOf(page, read(page)) : page;
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
