/**
 * Checks that each `§` and each clause id in the repository's text refers to an existing section of the
 * specification.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import clauses from '../../spec/clauses.json';
import { SECTIONS, sectionNumbersIn, sectionOf } from '../specification';

const FOLDERS = ['src', 'spec', 'parity', 'scripts', 'examples', 'docs'];
/** Installed or generated packages, and test data that names clauses which do not exist. */
const EXCLUDED = /(^|\/)node_modules\/|\.generated\/|^spec\/parity\/|^spec\/(ecosystem4?|applications)\//;
/** The files with clause ids outside of titles and scenarios, which `npm run clauses` checks. */
const NAMES_CLAUSES = /^src\/|^docs\/|^[A-Z]+\.md$/;

/** @returns One message for each reference without a target. */
export function brokenReferences(root: string): string[] {
  const known = new Set(clauses.map(({ id }) => id));
  const faults = clauses
    .filter(({ id }) => !SECTIONS.has(sectionOf(id)))
    .map(({ id }) => `spec/clauses.json: ${id} is of no section in spec/framework.md or spec/logger.md`);
  for (const file of textFiles(root)) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const number of sectionNumbersIn(text)) {
      if (!SECTIONS.has(`F-${number}`) && !(file.includes('/logger/') && SECTIONS.has(`L-${number}`)))
        faults.push(`${file}: §${number} is no section of spec/framework.md`);
    }
    if (NAMES_CLAUSES.test(file)) {
      for (const [id] of text.matchAll(/\b[FL]-\d+(?:\.\d+)?(?:-\d+)?\b/g))
        if (!known.has(id) && !SECTIONS.has(id))
          faults.push(`${file}: ${id} is neither a clause nor a section`);
    }
    if (file.endsWith('.md')) faults.push(...brokenLinks(file, text));
  }
  return faults;
}

/**
 * The broken links of a file. A `§` in prose must be a link, and each link into the specification must have an
 * anchor.
 */
function brokenLinks(file: string, text: string): string[] {
  const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
  const unlinked = sectionNumbersIn(prose.replace(/\[[^\]]*\]\([^)]*\)/g, ''));
  const anchors = new Set(SECTIONS.values());
  const links = [...prose.matchAll(/\]\((?:\.\.\/)*(spec\/(?:framework|logger)\.md#[^)]*)\)/g)];
  return [
    ...unlinked.map((number) => `${file}: §${number} is not a link to spec/framework.md#f-${number}`),
    ...links.filter(([, to = '']) => !anchors.has(to)).map(([, to]) => `${file}: no section is at ${to}`),
  ];
}

function textFiles(root: string): string[] {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file.replaceAll('\\', '/')}`,
    ),
  );
  return [...readdirSync(root), ...below].filter(
    (file) => /\.([cm]?ts|[cm]js|md)$/.test(file) && !EXCLUDED.test(file),
  );
}
