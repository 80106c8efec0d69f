/** Checks that each `§` and each clause id in code and pages refers to an existing section of the specification. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import clauses from '../../spec/clauses.json';
import { below } from '../document';
import { SECTIONS, sectionNumbersIn, sectionOf } from '../specification';

const FOLDERS = ['src', 'spec', 'parity', 'scripts', 'examples', 'docs'];
/** Skips installed packages, generated applications, and folders of test data. */
const EXCLUDED = /(^|\/)node_modules\/|\.generated\/|^spec\/parity\/|^spec\/(ecosystem|applications)\//;
/** Files whose clause ids are checked here. `npm run check -- clauses` checks those of `proves` and of scenarios. */
const NAMES_CLAUSES = /^src\/|^docs\/|^[A-Z]+\.md$/;

/** @returns One message for each `§`, clause id or link that refers to nothing. */
export function brokenReferences(root: string): string[] {
  const known = new Set(clauses.map(({ id }) => id));
  const faults = clauses
    .filter(({ id }) => !SECTIONS.has(sectionOf(id)))
    .map(({ id }) => `spec/clauses.json: ${id} has no section in spec/framework.md or spec/logger.md`);
  for (const file of textFiles(root)) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const number of sectionNumbersIn(text)) {
      if (!SECTIONS.has(`F-${number}`) && !(file.includes('/logger/') && SECTIONS.has(`L-${number}`)))
        faults.push(`${file}: spec/framework.md has no section §${number}`);
    }
    if (NAMES_CLAUSES.test(file)) {
      for (const [id] of text.matchAll(/\b[FL]-\d+(?:\.\d+)?(?:-\d+)?\b/g))
        if (!known.has(id) && !SECTIONS.has(id)) faults.push(`${file}: there is no clause or section ${id}`);
    }
    if (file.endsWith('.md')) faults.push(...brokenLinks(file, text));
  }
  return faults;
}

/** @returns One message for each `§` in prose that is not a link, and for each link to a missing anchor in spec/. */
function brokenLinks(file: string, text: string): string[] {
  const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
  const unlinked = sectionNumbersIn(prose.replace(/\[[^\]]*\]\([^)]*\)/g, ''));
  const anchors = new Set(SECTIONS.values());
  const links = [...prose.matchAll(/\]\((?:\.\.\/)*(spec\/(?:framework|logger)\.md#[^)]*)\)/g)];
  return [
    ...unlinked.map((number) => `${file}: §${number} must be a link to spec/framework.md#f-${number}`),
    ...links
      .filter(([, to = '']) => !anchors.has(to))
      .map(([, to]) => `${file}: the link ${to} has no target`),
  ];
}

function textFiles(root: string): string[] {
  const files = FOLDERS.flatMap((folder) => below(join(root, folder)).map((file) => `${folder}/${file}`));
  return [...readdirSync(root), ...files].filter(
    (file) => /\.([cm]?ts|[cm]js|md)$/.test(file) && !EXCLUDED.test(file),
  );
}
