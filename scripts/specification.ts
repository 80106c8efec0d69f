/**
 * Finds the sections of the specification by id: `F-4.5` is section 4.5 of spec/framework.md, `L-2.4` is section 2.4 of
 * spec/logger.md.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCUMENTS = ['spec/framework.md', 'spec/logger.md'];
const OTHER_STANDARD = /(?:RFC \d+|ECMA-262) §[\d.]+(?:, §[\d.]+)*/g;

/** Links from the root of the repository, by id of the section: `F-4.5` → `spec/framework.md#f-4.5`. */
export const SECTIONS: ReadonlyMap<string, string> = new Map(
  DOCUMENTS.flatMap((file) => {
    const text = readFileSync(join(__dirname, '..', file), 'utf8');
    return [...text.matchAll(/<a id="([fl]-[\d.]+)"><\/a>/g)].map(([, id = '']): [string, string] => [
      id.toUpperCase(),
      `${file}#${id}`,
    ]);
  }),
);

/** @returns The id of the section of a clause: `F-4.5-75` → `F-4.5`. Returns the id of a section unchanged. */
export function sectionOf(id: string): string {
  return id.replace(/^([FL]-\d+(?:\.\d+)?)-\d+$/, '$1');
}

/**
 * Finds the numbers after each `§` of a text, except those of other standards such as `RFC 9110 §14.2`.
 *
 * @returns Numbers of sections in spec/framework.md; in files of the logger they may be sections of spec/logger.md.
 */
export function sectionNumbersIn(text: string): string[] {
  return [...text.replace(OTHER_STANDARD, '').matchAll(/§(\d+(?:\.\d+)?)/g)].map(([, number = '']) => number);
}

/**
 * Formats the id of a clause or section as a Markdown link, for pages in docs/.
 *
 * @throws Error if the specification has no such section.
 */
export function linkTo(id: string): string {
  const place = SECTIONS.get(sectionOf(id));
  if (!place) throw new Error(`${id}: ${DOCUMENTS.join(' and ')} have no such section`);
  return `[${id}](../${place})`;
}
