/**
 * Creates the tarball of `create-nozomi`. It is a package of its own because `npm create nozomi` runs the package of that
 * name, and an application does not need it. It is below scripts/, as nozomi-corpus, because no other code imports it.
 */
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import manifest from '../../package.json';
import { readIfThere } from '../document';
import { packFolder } from '../package/tarball';

const NAME = 'create-nozomi';
const VERSIONS: Readonly<Record<string, string>> = {
  ...manifest.devDependencies,
  ...manifest.dependencies,
  nozomi: `^${manifest.version}`,
};

/** @returns The path of the tarball. */
export function makeCreate(destination: string): string {
  const { version, license, engines } = manifest;
  // The workflow that publishes the packages sets it.
  const { repository } = manifest as { repository?: object };
  const own = {
    name: NAME,
    version,
    description: 'Creates a project with Nozomi: npm create nozomi@latest',
    keywords: ['nozomi', 'express', 'template', 'create'],
    license,
    repository,
    engines,
    bin: { [NAME]: 'create.js' },
  };
  return packFolder(own, destination, fillCreate);
}

/** Writes the command and the templates, with the versions of the dependencies, to a folder. */
export function fillCreate(folder: string): void {
  const source = join(__dirname, 'templates');
  const target = join(folder, 'templates');
  mkdirSync(target, { recursive: true });
  cpSync(source, target, { recursive: true });
  for (const name of readdirSync(target)) {
    const file = join(target, name, 'package.json');
    const text = readIfThere(file);
    if (text !== undefined) writeFileSync(file, withVersions(text));
  }
  buildSync({
    entryPoints: [join(__dirname, 'create.ts')],
    outfile: join(folder, 'create.js'),
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    banner: { js: '#!/usr/bin/env node' },
    logLevel: 'error',
  });
  cpSync(join(__dirname, '..', '..', 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(__dirname, '..', '..', 'docs', 'create.md'), join(folder, 'README.md'));
}

function withVersions(text: string): string {
  const template = JSON.parse(text);
  for (const kind of ['dependencies', 'devDependencies'])
    for (const name of Object.keys(template[kind] ?? {})) {
      const version = VERSIONS[name];
      if (version === undefined) throw new TypeError(`package.json has no version for ${name}`);
      template[kind][name] = version;
    }
  return `${JSON.stringify(template, null, 2)}\n`;
}
