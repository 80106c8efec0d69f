// Converts the paths in published packages for Express 4 with the code of `nozomi-parity migrate`, and prints how many it
// could convert. Run this script after a change to parity/migrate. It downloads each package into a temporary folder,
// without its dependencies.
//
//   npm run check -- migrate-packages                        all packages
//   npm run check -- migrate-packages json-server kue     only the named packages
//
// Exit code 1 if the conversion fails for a package, or if fewer than 30 of all packages have paths.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../parity/harness/processes';
import { migrate } from '../../parity/migrate/migrate';
import { temporaryFolder } from '../../parity/temporary-folder';
import { runCommand } from '../command';
import { below } from '../document';
import { unpack } from '../package/unpack';
import { CONVERTED } from '../published/manifest';

runCommand({
  allowPositionals: true,
  async run({ positionals }) {
    const work = temporaryFolder('packages');
    const total = { packages: 0, paths: 0, converted: 0, refused: 0 };
    let failed = 0;
    for (const name of positionals.length > 0 ? positionals : CONVERTED) {
      const folder = fetchPackage(name, work);
      if (folder === undefined) {
        console.log(`${name}: not found on npm`);
        continue;
      }
      try {
        const found = await pathsOf(folder);
        if (found.paths === 0) {
          console.log(`${name}: found no paths`);
          continue;
        }
        total.packages++;
        for (const key of ['paths', 'converted', 'refused'] as const) total[key] += found[key];
        console.log(`${name}: ${found.paths} paths, ${found.converted} converted, ${found.refused} refused`);
        for (const reason of found.reasons) console.log(`  ${reason}`);
      } catch (error) {
        failed++;
        console.error(`${name}: ${(error as Error).message}`);
      }
    }
    const { packages, paths, converted, refused } = total;
    console.log(
      `${packages} packages, ${paths} paths: ${paths - converted - refused} are the same in Express 5, ${converted} converted, ${refused} refused with a reason, ${failed} packages failed`,
    );
    return failed === 0 && (packages >= 30 || positionals.length > 0);
  },
});

/** Downloads and unpacks a package. @returns Its folder; undefined if that fails. */
function fetchPackage(name: string, work: string): string | undefined {
  try {
    const file = run('npm', ['pack', name, '--silent'], work).trim().split('\n').at(-1) ?? '';
    const folder = file.replace(/\.tgz$/, '');
    unpack(join(work, file), join(work, folder));
    return join(work, folder);
  } catch {
    return undefined;
  }
}

interface Found {
  paths: number;
  converted: number;
  refused: number;
  reasons: string[];
}

async function pathsOf(folder: string): Promise<Found> {
  const sources = below(folder)
    .filter((file) => /\.[mc]?[jt]s$/.test(file) && !SKIPPED.test(file))
    .filter((file) => statSync(join(folder, file)).isFile())
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
    // Skip files that cannot contain an Express application: large bundles for browsers, and code without its words.
    .filter(({ text }) => text.length < 300_000 && /express|router|\breq\b/.test(text));
  const migrated = await migrate(sources);
  for (const { name, unparsed } of migrated)
    if (unparsed !== undefined) throw new Error(`${name}: ${unparsed}`);
  const paths = migrated.flatMap((one) => one.paths.map((path) => ({ ...path, name: one.name })));
  return {
    paths: paths.length,
    converted: paths.filter(({ result }) => result === 'converted').length,
    refused: paths.filter(({ result }) => result === 'refused').length,
    reasons: paths
      .filter(({ result }) => result === 'refused')
      .map(({ name, line, text }) => `${name}:${line}: ${text}`),
  };
}

/** Matches the files of folders without code of the application, and files that are minified, types or tests. */
const SKIPPED =
  /(?:^|\/)(?:node_modules|tests?|__tests__|public|vendor|bower_components|static|assets|\.[^/]*)\/|\.(?:min|d|test|spec|bundle)\.[mc]?[jt]s$/;
