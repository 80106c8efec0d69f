// Writes docs/settings.md from the settings table. Run after the table changes; with --check it writes nothing and
// exits 1 if the document is out of date.
//
//   npm run settings -- [--check]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Setting, settings } from '../../src/application/settings';
import { runCommand } from '../command';
import { readIfThere, table } from '../document';

const root = join(__dirname, '..', '..');
const file = join(root, 'docs', 'settings.md');

const HEAD = `# Settings

Written with \`app.set(name, value)\`, read with \`app.get(name)\` ([§2.2](../spec/framework.md#f-2.2)). Any other name may be
stored too. A mounted application uses its parent's value for every setting that it has not set and that has no
default; for \`trust proxy\`, also in place of the default.

*Made by \`npm run settings\` from \`src/application/settings.ts\`.*

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
        ? 'docs/settings.md equals the table of settings'
        : 'docs/settings.md is out of date: run npm run settings',
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
  if (setting.yields) return 'yes, in place of its default';
  const [production, other] = ['production', 'development'].map((env) => setting.default?.(env));
  if (other !== undefined) return 'no';
  return production === undefined ? 'yes' : 'yes, but not in production';
}

function format(value: unknown): string {
  if (typeof value === 'function') return `\`${value.name}\``;
  if (value === join(process.cwd(), 'views')) return `the working directory + \`/views\``;
  return value === undefined ? 'undefined' : `\`${value}\``;
}
