// Creates the tarballs to publish: `nozomi` for each major version of Express, `nozomi-parity` and `create-nozomi`. Run this script before
// a release, after `npm run check -- package`.
//
//   npm run pack                        all five, in the current folder
//   npm run pack -- --series 4          only Nozomi for Express 4: version 4.22, main entry point `nozomi/4`
//   npm run pack -- --destination dir   writes the tarballs to this folder
//   npm run pack -- --rehearse          also runs `npm publish --dry-run` for each, which uploads nothing
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { runCommand, toNames } from '../command';
import { makeCreate } from '../create/pack';
import { makeTarball, SERIES } from './tarball';
import { makeTools } from './tools';
import { root } from './tree';

runCommand({
  options: {
    series: { type: 'string', multiple: true },
    destination: { type: 'string', default: '.' },
    rehearse: { type: 'boolean', default: false },
  },
  run({ values }) {
    const chosen = toNames(values.series ?? SERIES, SERIES, 'series');
    const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    if (status !== 0) return false;
    const destination = resolve(values.destination);
    mkdirSync(destination, { recursive: true });
    const tarballs = chosen.map((series) => makeTarball(series, destination));
    if (!values.series) tarballs.push(makeTools(destination), makeCreate(destination));
    for (const tarball of tarballs) console.log(relative('.', tarball));
    return !values.rehearse || tarballs.every(canBePublished);
  },
});

/** Passes a tarball to `npm publish --dry-run`, with the tag that the release workflow gives it. */
function canBePublished(tarball: string): boolean {
  const [, series] = /nozomi-([34])\.[^/\\]*$/.exec(tarball) ?? [];
  const tag = series ? `express${series}` : 'latest';
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['publish', '--dry-run', '--access', 'public', '--tag', tag, tarball],
    { encoding: 'utf8', shell: process.platform === 'win32' },
  );
  console.log(status === 0 ? `${stdout.trim()}, tag ${tag}: can be published` : stderr);
  return status === 0;
}
