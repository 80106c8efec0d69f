// Creates the tarballs to publish: `nozomi` for each major version of Express, and `nozomi-parity`. Run this script before
// a release, after `npm run check -- package`.
//
//   npm run pack                        all four, in the current folder
//   npm run pack -- --series 4          only Nozomi for Express 4: version 4.22, main entry point `nozomi/4`
//   npm run pack -- --destination dir   writes the tarballs to this folder
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { runCommand } from '../command';
import { makeTarball, SERIES, type Series } from './tarball';
import { makeTools } from './tools';
import { root } from './tree';

runCommand({
  name: 'pack',
  file: __filename,
  options: {
    series: { type: 'string', multiple: true },
    destination: { type: 'string', default: '.' },
  },
  run({ values }) {
    const { series: chosen = [...SERIES] } = values;
    const unknown = chosen.filter((series) => !SERIES.includes(series as Series));
    if (unknown.length > 0)
      throw new TypeError(`--series: expected ${SERIES.join(' or ')}, got ${unknown.join(', ')}`);
    const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    if (status !== 0) return false;
    const destination = resolve(values.destination);
    mkdirSync(destination, { recursive: true });
    for (const series of chosen) console.log(relative('.', makeTarball(series as Series, destination)));
    if (!values.series) console.log(relative('.', makeTools(destination)));
    return true;
  },
});
