/** The software bill of materials of a release, which the commands of the release workflow write. */
import { execSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { filesOf } from '../support/files';

const ROOT = join(__dirname, '..', '..');

interface Lock {
  packages: Record<string, { name?: string; version: string; dev?: boolean; optional?: boolean }>;
}

describe('the SBOM of a release', () => {
  it('lists each package that Nozomi installs, and no other', () => {
    const workflow = readFileSync(join(ROOT, '.github', 'workflows', 'release.yml'), 'utf8');
    const commands = /run: \|\n((?: {10}npm .*\n)*? {10}npm sbom .*\n)/.exec(workflow)?.[1];
    const cwd = filesOf({});
    mkdirSync(join(cwd, 'packages'));
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      copyFileSync(join(ROOT, file), join(cwd, file));

    for (const command of commands?.trim().split('\n') ?? [])
      execSync(command, { cwd, env: { ...process.env, npm_config_offline: 'true' }, stdio: 'pipe' });

    const { components } = JSON.parse(readFileSync(join(cwd, 'packages', 'nozomi.cdx.json'), 'utf8')) as {
      components: Array<{ purl: string }>;
    };
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
    const installed = Object.entries(packages)
      .filter(([path, { dev, optional }]) => path !== '' && !dev && !optional)
      .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').pop()}@${version}`);
    const listed = components.map(({ purl }) =>
      decodeURIComponent(purl).replace('pkg:npm/', '').replace(/\?.*/, ''),
    );
    expect(listed.sort()).to.deep.equal(installed.sort());
    expect(listed.length).to.be.above(50);
  });
});
