/** The search of the site. `run.ts` makes the index, and the script of the pages, which esbuild bundles, searches in it. */
import MiniSearch, { type Options } from 'minisearch';
import synonyms from './synonyms.json';

/** A part of a page, from one heading to the next. */
export interface Section {
  readonly id: number;
  /** The path of the page from the root of the site. */
  readonly page: string;
  /** The anchor of the heading; empty for the start of a page. */
  readonly anchor: string;
  readonly title: string;
  /** Equal to `title` for the first section of a page. */
  readonly heading: string;
  readonly text: string;
  /** The inline code in the text: names of settings, headers, members, commands and codes. */
  readonly code: string;
  /** The start of the text, or all of it on pages of the guide. */
  readonly excerpt: string;
  /** The series of Express that the page is about: `5.x`, `4.x` or `3.x`. */
  readonly series: string;
  /** How much a match counts: 1 is the reference of types. */
  readonly weight: number;
}

type Stored = Pick<Section, 'page' | 'anchor' | 'title' | 'heading' | 'excerpt' | 'series' | 'weight'>;
export type Found = Stored & { readonly score: number };
export type Index = MiniSearch<Section>;

const OPTIONS: Options<Section> = {
  fields: ['title', 'heading', 'code', 'text'],
  storeFields: ['page', 'anchor', 'title', 'heading', 'excerpt', 'series', 'weight'],
  tokenize: (text) => tokensOf(text, true),
  processTerm,
};

export function makeIndex(sections: readonly Section[]): Index {
  const index = new MiniSearch<Section>(OPTIONS);
  index.addAll(sections);
  return index;
}

/** @param json What `JSON.stringify(index)` returned. */
export function readIndex(json: string): Index {
  return MiniSearch.loadJSON<Section>(json, OPTIONS);
}

/** @returns The best section of each page, the best first. A section with all words of the query comes before others. */
export function search(index: Index, query: string): Found[] {
  const words = withSynonyms(query);
  const whole = lookUp(index, tokensOf(words, false));
  const found = whole.length > 0 ? whole : lookUp(index, tokensOf(words, true));
  const wanted = words.trim().toLowerCase();
  const ranked = found.map((section) => ({ ...section, score: section.score * nameFactor(section, wanted) }));
  const pages = new Map<string, Found>();
  for (const section of ranked.sort((a, b) => b.score - a.score))
    if (!pages.has(section.page)) pages.set(section.page, section);
  return [...pages.values()];
}

/** Replaces words by those of the pages. */
function withSynonyms(query: string): string {
  const known = new Map<string, string>(Object.entries(synonyms));
  return known.get(query.trim().toLowerCase()) ?? query;
}

function lookUp(index: Index, terms: string[]): Found[] {
  const found = index.search(terms.join(' '), {
    tokenize: () => terms,
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 5 ? 0.15 : false),
    weights: { fuzzy: 0.1, prefix: 0.4 },
    boost: { title: 4, heading: 4, code: 2 },
    boostDocument: (_id, _term, stored) => Number(stored?.weight),
  });
  return found.map((section) => ({
    ...(section as unknown as Found),
    score: section.score * (section.queryTerms.length / terms.length) ** 3,
  }));
}

/** A page or heading with the name that the user typed comes before those that only mention it; types and evidence do not. */
function nameFactor({ title, heading, weight }: Stored, wanted: string): number {
  if (weight < 1) return 1;
  const [page, part] = [title.toLowerCase(), heading.toLowerCase()];
  const isName = (name: string) => name === `${wanted}s` || name.endsWith(`.${wanted}`);
  const begins = (name: string) => name.startsWith(wanted) && /^s?[ (:]/.test(name.slice(wanted.length));
  if (page === wanted) return 8;
  if (isName(page) || begins(page)) return 6;
  if (new RegExp(`(^| )${escaped(wanted)}s?( |$)`).test(page)) return 5;
  if (part === wanted || isName(part) || new RegExp(`(^| )${escaped(wanted)}s?( |$)`).test(page)) return 4;
  return begins(part) ? 2 : 1;
}

function escaped(text: string): string {
  return text.replace(/[^\p{L}\p{N} ]/gu, '\\$&');
}

/** @param parts Whether `res.sendFile` also gives `ressendFile`, `res`, `sendFile`, `send` and `File`, and `HTTP/2` gives `HTTP2`. */
function tokensOf(text: string, parts: boolean): string[] {
  const words = text.match(/[\p{L}\p{N}$](?:[\p{L}\p{N}$_.\-/]*[\p{L}\p{N}$_])?/gu) ?? [];
  if (!parts) return words;
  return words.flatMap((word) => {
    const names = word.split(/[_.\-/]+/);
    const pieces = names.flatMap((name) => name.split(/(?<=[a-z])(?=[A-Z])/));
    return [...new Set([word, names.join(''), ...names, ...pieces])];
  });
}

/** Lower case, and without the ending of a plural; `cors` is none. */
function processTerm(term: string): string {
  const lower = term.toLowerCase();
  return lower.length > 4 && /[^s]s$/.test(lower) ? lower.slice(0, -1) : lower;
}
