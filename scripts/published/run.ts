// Lists every published package, application and test runner that the commands run, with its version and how it starts.
// The list is scripts/published/manifest.yaml, and the cases in spec/ecosystem/cases. A step of `npm test`.
//
//   npm run check -- published                 one line for each, and for each command
//   npm run check -- published json-server ws  only these packages
//
// Exit code 1 if spec/ecosystem/results.json, from which docs/compatibility.md is written, has no result of a run with
// the listed version.
import { runCommand } from '../command';
import { formatLine } from '../table';
import { isKept, type Listed, listPublished } from './list';
import { readResults } from './results';

runCommand({
  allowPositionals: true,
  run({ positionals }) {
    const all = listPublished();
    const unknown = positionals.filter((name) => !all.some((one) => packageOf(one) === name));
    if (unknown.length > 0) throw new TypeError(`no command runs a package called ${unknown.join(', ')}`);
    const chosen = all.filter((one) => positionals.length === 0 || positionals.includes(packageOf(one)));
    for (const { run, packages, starts, requests } of chosen.sort((a, b) =>
      compare(packageOf(a), packageOf(b)),
    )) {
      const traffic = requests ? `; ${requests}` : '';
      console.log(formatLine([packages[0] ?? '', run, starts + traffic], [-48, -26]));
    }
    const stale = chosen.filter((one) => !isCurrent(one));
    for (const { name, run } of stale)
      console.error(`${name} was not run with its current versions: npm run check -- ${run} --write`);
    console.log(
      `${chosen.length} runs of ${new Set(chosen.map(packageOf)).size} packages, ${stale.length} without a result`,
    );
    return stale.length === 0;
  },
});

function packageOf({ packages: [first = ''] }: Listed): string {
  return first.replace(/(?<=.)@[^@]+$/, '');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Whether the command keeps no results, or has one with these versions. The newest version changes. */
function isCurrent({ run, name, packages }: Listed): boolean {
  if (!isKept(run)) return true;
  const { [name]: result } = readResults(run);
  return result !== undefined && (run === 'runners' || String(packages) === String(result.packages));
}
