// Creates the package nozomi-corpus, which tests how closely a framework behaves like Express. It contains the
// recordings of fixtures/, the applications for Express 5 that were recorded, and a player. Run this script before a
// release.
//
//   npm run generate -- corpus                          writes report/corpus, ready for npm pack
//   npm run generate -- corpus --score               also plays all scenarios with the installed Express
//
// Exit code: 0 if the package was created, 1 if a scenario fails with Express, 2 if the script could not run.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { recordedSections } from '../../parity/corpus/corpus';
import { runCommand } from '../command';
import { corpusVersion } from '../fixtures/describe';

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(ROOT, 'report', 'corpus');

runCommand({
  options: { score: { type: 'boolean' } },
  async run({ values }) {
    await pack();
    console.log(`created ${FOLDER}`);
    if (!values.score) return true;
    const { score } = require(join(FOLDER, 'lib', 'corpus', 'player.js')) as typeof import('./player');
    const { equal, played } = await score({
      framework: require('express'),
      logger: require('morgan'),
      onScenario: (id, differences) => {
        if (differences.length > 0) console.log(`✗ ${id}: ${differences.join(', ')}`);
      },
    });
    console.log(`express: ${equal} of ${played} scenarios`);
    return equal === played;
  },
});

/** Whether a section is about Express 5. The player only tests that version. */
function isOf5(section: string): boolean {
  return !/^9-express\d/.test(section);
}

async function pack(): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  cpSync(join(ROOT, 'fixtures'), join(FOLDER, 'fixtures'), { recursive: true });
  const sections = recordedSections().filter(isOf5);
  writeFileSync(join(FOLDER, 'sections.json'), `${JSON.stringify(sections, null, 2)}\n`);
  const common = {
    platform: 'node',
    format: 'cjs',
    bundle: true,
    packages: 'external',
    logLevel: 'error',
  } as const;
  await build({
    ...common,
    entryPoints: sections.map((section) => join(ROOT, 'spec', `${section}.scenarios.ts`)),
    outbase: join(ROOT, 'spec'),
    // Keep the depth of the sources: some scenarios read files of fixtures/ by relative path.
    outdir: join(FOLDER, 'spec'),
  });
  await build({
    ...common,
    entryPoints: ['player.ts', 'section.ts'].map((file) => join(__dirname, file)),
    outdir: join(FOLDER, 'lib', 'corpus'),
  });
  const { license, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const dependencies = Object.fromEntries(
    ['chai', 'cookie-parser', 'ejs', 'serve-static'].flatMap((name) =>
      devDependencies[name] ? [[name, devDependencies[name]]] : [],
    ),
  );
  const manifest = {
    name: 'nozomi-corpus',
    version: corpusVersion(),
    license,
    main: './lib/corpus/player.js',
    dependencies,
    description:
      'Recorded behaviour of Express: exchanges, the applications that were recorded, and a player that tests a framework',
    // Yarn's Plug'n'Play must unpack the package: the player sets the modification times of its files.
    preferUnplugged: true,
  };
  writeFileSync(join(FOLDER, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(ROOT, 'LICENSE'), join(FOLDER, 'LICENSE'));
  for (const file of ['README.md', 'CHANGELOG.md']) cpSync(join(ROOT, 'fixtures', file), join(FOLDER, file));
}
