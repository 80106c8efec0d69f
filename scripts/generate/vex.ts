// Writes docs/security/vex.json, which tells scanners about advisories of Express and its dependencies: they see the
// package `nozomi`, and not the code in it. The format is OpenVEX; the statements are the tables of docs/security/advisories.md.
// Run this script after a change of that page.
//
//   npm run generate -- vex               writes docs/security/vex.json
//   npm run generate -- vex --check       writes nothing; exit code 1 if the file is out of date
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../command';
import { readIfThere } from '../document';

const root = join(__dirname, '..', '..');
const FILE = join(root, 'docs', 'security', 'vex.json');

runCommand({
  name: 'vex',
  file: __filename,
  options: { check: { type: 'boolean', default: false } },
  run({ values }) {
    const former = JSON.parse(readIfThere(FILE) ?? '{}') as Partial<ReturnType<typeof documentOf>>;
    const statements = statementsIn(readFileSync(join(root, 'docs', 'security', 'advisories.md'), 'utf8'));
    const isCurrent = JSON.stringify(former.statements) === JSON.stringify(statements);
    if (!isCurrent && !values.check)
      writeFileSync(FILE, `${JSON.stringify(documentOf(statements, (former.version ?? 0) + 1), null, 2)}\n`);
    console.log(
      isCurrent || !values.check
        ? `${statements.length} statements in docs/security/vex.json`
        : 'docs/security/vex.json is out of date: run npm run generate -- vex',
    );
    return isCurrent || !values.check;
  },
});

interface Statement {
  vulnerability: { name: string };
  products: { '@id': string }[];
  status: 'affected' | 'not_affected';
  impact_statement?: string;
  action_statement?: string;
}

function documentOf(statements: readonly Statement[], version: number) {
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'urn:nozomi:vex',
    author: 'Nozomi',
    timestamp: new Date().toISOString(),
    version,
    statements,
  };
}

/** All versions: they contain the same code. */
const products = [{ '@id': 'pkg:npm/nozomi' }];

/** Reads the rows `| package | advisories | entry points | test | Express |` and `| package | advisories | why |`. */
function statementsIn(page: string): Statement[] {
  return page.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const names = [...(cells[2] ?? '').matchAll(/\[((?:CVE|GHSA)-[^\]]+)\]/g)].map(([, name = '']) => name);
    const [, , , third = '', fourth = '', fifth = ''] = cells;
    const why = plain(cells.length > 6 ? fourth : third);
    const isAffected = /Nozomi too/.test(fifth);
    // The page says more than a status can: Express fails a part of the test.
    if (fifth.includes('**Fails**') && !isAffected) return [];
    return names.map(
      (name): Statement => ({
        vulnerability: { name },
        products,
        ...(isAffected
          ? { status: 'affected', action_statement: `${why} ${plain(fifth)}` }
          : { status: 'not_affected', impact_statement: why }),
      }),
    );
  });
}

/** Without the marks of Markdown. */
function plain(text: string): string {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*`]/g, '');
}
