/** The specification documents: `F-4.5` is section 4.5 of spec/framework.md, `L-2.4` section 2.4 of spec/logger.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCUMENTS = ['spec/framework.md', 'spec/logger.md'];
const OTHER_STANDARD = /(?:RFC \d+|ECMA-262) §[\d.]+(?:, §[\d.]+)*/g;

/** The path of each section from the root of the repository: `F-4.5` → `spec/framework.md#f-4.5`. */
export const SECTIONS: ReadonlyMap<string, string> = new Map(
  DOCUMENTS.flatMap((file) => {
    const text = readFileSync(join(__dirname, '..', file), 'utf8');
    return [...text.matchAll(/<a id="([fl]-[\d.]+)"><\/a>/g)].map(([, id = '']): [string, string] => [
      id.toUpperCase(),
      `${file}#${id}`,
    ]);
  }),
);

/** The section of a clause: `F-4.5-75` → `F-4.5`. A section id is returned unchanged. */
export function sectionOf(id: string): string {
  return id.replace(/^([FL]-\d+(?:\.\d+)?)-\d+$/, '$1');
}

/**
 * The section numbers after a `§`, except those of other standards (`RFC 9110 §14.2`). They belong to the framework,
 * unless the file belongs to the logger.
 */
export function sectionNumbersIn(text: string): string[] {
  return [...text.replace(OTHER_STANDARD, '').matchAll(/§(\d+(?:\.\d+)?)/g)].map(([, number = '']) => number);
}

/** A clause or section id as a Markdown link to its section, for a document one folder below the root. */
export function linkTo(id: string): string {
  const place = SECTIONS.get(sectionOf(id));
  if (!place) throw new Error(`${id} is no section of ${DOCUMENTS.join(' or ')}`);
  return `[${id}](../${place})`;
}
