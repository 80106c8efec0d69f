// Writes docs/security/vex.json, which tells scanners about advisories of Express and its dependencies: they see the
// package `nozomi`, and not the code in it. The format is OpenVEX; the statements are the tables of docs/security/advisories.md.
// Run this script after a change of that page.
//
//   npm run generate -- vex               writes docs/security/vex.json
//   npm run generate -- vex --check       writes nothing; exit code 1 if the file is out of date
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from '../document';
import { root, runGenerator } from './page';

const FILE = 'docs/security/vex.json';

runGenerator(() => ({ [FILE]: compose() }));

/** @returns The current text of the file, unless its statements changed. */
function compose(): string {
  const current = readIfThere(join(root, FILE)) ?? '{}';
  const former = JSON.parse(current) as Partial<ReturnType<typeof documentOf>>;
  const statements = statementsIn(readFileSync(join(root, 'docs', 'security', 'advisories.md'), 'utf8'));
  if (JSON.stringify(former.statements) === JSON.stringify(statements)) return current;
  return `${JSON.stringify(documentOf(statements, (former.version ?? 0) + 1), null, 2)}\n`;
}

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
