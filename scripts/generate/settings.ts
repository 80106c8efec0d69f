// Writes docs/settings.md from the table of settings in src/application/settings.ts. Run this script after a change to
// that table.
//
//   npm run generate -- settings               writes docs/settings.md
//   npm run generate -- settings --check    writes nothing; exit code 1 if the page is out of date
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Setting, settings } from '../../src/application/settings';
import { runCommand } from '../command';
import { readIfThere, table } from '../document';

const root = join(__dirname, '..', '..');
const file = join(root, 'docs', 'settings.md');

const HEAD = `# Settings

\`app.set(name, value)\` writes a setting, and \`app.get(name)\` reads it ([§2.2](../spec/framework.md#f-2.2)). An application
can store values under other names, too. A mounted application inherits its parent's value of each setting that it has not
set and that has no default. It also inherits \`trust proxy\`, although that setting has a default.
*Compiled to* names the setting that holds the function made from the value, such as \`etag fn\`.

*Written by \`npm run generate -- settings\` from \`src/application/settings.ts\`.*

`;

runCommand({
  name: 'settings',
  file: __filename,
  options: { check: { type: 'boolean', default: false } },
  run({ values }) {
    const wanted = `${HEAD}${listed()}`;
    if (!values.check) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, wanted);
      return true;
    }
    const isTrue = readIfThere(file) === wanted;
    console.log(
      isTrue
        ? 'docs/settings.md is up to date'
        : 'docs/settings.md is out of date: run npm run generate -- settings',
    );
    return isTrue;
  },
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
