// Writes docs/settings.md from the table of settings in src/application/settings.ts. Run this script after a change to
// that table.
//
//   npm run generate -- settings               writes docs/settings.md
//   npm run generate -- settings --check    writes nothing; exit code 1 if the page is out of date
import { join } from 'node:path';
import { type Setting, settings } from '../../src/application/settings';
import { table } from '../document';
import { pageWith, runGenerator } from './page';

const PAGE = 'docs/settings.md';

runGenerator({
  name: 'settings',
  file: __filename,
  compose: () => ({ [PAGE]: pageWith(PAGE, { settings: listed() }) }),
});

function listed(): string {
  const rows = Object.entries(settings).map(([name, setting]) => [
    `\`${name}\``,
    setting.type,
    defaultOf(setting),
    setting.compile ? `\`${name} fn\`` : '',
    inheritanceOf(setting),
    setting.meaning,
  ]);
  const head = ['Setting', 'Type', 'Default', 'Compiled to', 'Inherited', 'Meaning'];
  return table(head, rows);
}

function defaultOf(setting: Setting): string {
  const [production, other] = ['production', 'development'].map((env) => setting.default?.(env));
  if (production === 'production') return '`NODE_ENV`, or `development`';
  if (production !== other) return `${format(production)} in production, else ${format(other)}`;
  return format(other);
}

function inheritanceOf(setting: Setting): string {
  if (setting.yields) return 'yes, instead of its default';
  const [production, other] = ['production', 'development'].map((env) => setting.default?.(env));
  if (other !== undefined) return 'no';
  return production === undefined
    ? 'yes'
    : 'outside production: yes; in production: no, because it has a default there';
}

function format(value: unknown): string {
  if (typeof value === 'function') return `\`${value.name}\``;
  if (value === join(process.cwd(), 'views')) return `the working directory + \`/views\``;
  return value === undefined ? 'undefined' : `\`${value}\``;
}
