/** Finds the tests that the changes since the last commit can reach. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { type Chosen, chooseSteps, filesBelow, SCENARIOS } from './choose';
import { root } from './shell';
import { SPECS, testsBuild } from './stages';

const SOURCE = /^src\/.*(?<!\.d)\.ts$/;
/** Specs that the run without options leaves out, too. Those that test the build are also left out: it takes too long. */
const EXPENSIVE: ReadonlySet<string> = new Set([...SPECS.ci, ...SPECS.all]);
/** Checks the types of the sources, without the build. */
const COMPILE = 'node node_modules/typescript/bin/tsc -p tsconfig.build.json --noEmit --singleThreaded';
const TEST = /\.(spec|scenarios)\.ts$/;
/** Read when it is first needed, because that takes a second. */
let importersOf: Promise<Map<string, string[]>> | undefined;

export function chooseChanged(): Promise<Chosen[]> {
  return chooseReached(changedFiles());
}

/**
 * A change of a source reaches the specs and scenarios of its sections, which docs/sections.md lists. A source without a section
 * reaches those of the sources that import it. A change of another file reaches the specs and scenarios that import it.
 */
export async function chooseReached(changed: readonly string[]): Promise<Chosen[]> {
  if (changed.length === 0) return [];
  const tests = await testsOf(changed);
  const scenarios = tests.filter((file) => /\.scenarios\.ts$/.test(file));
  const isAll = tests.includes(SCENARIOS);
  const specs = tests.filter(
    (file) => /\.spec\.ts$/.test(file) && file !== SCENARIOS && !EXPENSIVE.has(file) && !testsBuild(file),
  );
  const sections = scenarios.map((file) => file.replace(/^spec\/|\.scenarios\.ts$/g, ''));
  const hasSources = changed.some((file) => file.startsWith('src/'));
  return [
    ...(isAll || sections.length > 0
      ? [toStep('scenarios', `mocha ${SCENARIOS}`, isAll ? {} : { SCENARIOS: sections.join('\n') })]
      : []),
    ...(specs.length > 0 ? [toStep('specs', `mocha ${specs.join(' ')}`)] : []),
    toStep('lint', `biome check --no-errors-on-unmatched ${changed.join(' ')}`),
    ...(hasSources ? [toStep('compile', COMPILE)] : chooseSteps('quick', ['typecheck'])),
    ...chooseSteps('quick', ['map', 'readme']),
  ];
}

function toStep(name: string, command: string, env = {}): Chosen {
  return { stage: 'changed', name, command, env, needsNoBuild: true };
}

/** @returns The specs and files of scenarios that changes reach, sorted. */
async function testsOf(changed: readonly string[]): Promise<string[]> {
  const sections = readSections();
  const found: string[] = [];
  for (const file of changed) {
    const isEnd = (one: string): boolean => (SOURCE.test(file) ? sections.has(one) : TEST.test(one));
    const ends = isEnd(file) ? [file] : await reach(file, isEnd);
    found.push(...(SOURCE.test(file) ? ends.flatMap((one) => sections.get(one) ?? []) : ends));
  }
  return [...new Set(found)].sort();
}

/** @returns The files that differ from the last commit, and those that git does not know. */
function changedFiles(): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  return [
    ...git('diff', '--name-only', '--diff-filter=d', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}

/** Climbs from a file to the first ones on each way that match. */
async function reach(from: string, matches: (file: string) => boolean): Promise<string[]> {
  importersOf ??= readImporters();
  const importers = await importersOf;
  const seen = new Set([from]);
  const found: string[] = [];
  for (const file of seen) {
    if (matches(file)) found.push(file);
    else for (const one of importers.get(file) ?? []) seen.add(one);
  }
  return found;
}

/** Reads the import graph. @returns The files that import a file, by file. */
async function readImporters(): Promise<Map<string, string[]>> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      ...filesBelow('spec').filter((file) => TEST.test(file)),
      ...filesBelow('src').filter((file) => SOURCE.test(file)),
    ],
    outdir: 'report',
    write: false,
    bundle: true,
    metafile: true,
    packages: 'external',
    platform: 'node',
    logLevel: 'silent',
    plugins: [onlySources],
  });
  const importers = new Map<string, string[]>();
  for (const [file, { imports }] of Object.entries(metafile.inputs))
    for (const { path } of imports) importers.set(path, [...(importers.get(path) ?? []), file]);
  return importers;
}

/** Leaves out what is built or installed, and the content of files that are no code. */
const onlySources: Plugin = {
  name: 'only-sources',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /node_modules|\/dist\// }, () => ({ external: true }));
    onLoad({ filter: /\.(ejs|html|json|md|ya?ml)$/ }, () => ({ contents: '' }));
  },
};

/** Reads docs/sections.md. @returns The specs and scenarios of the sections of each source. */
function readSections(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of readFileSync(join(root, 'docs', 'sections.md'), 'utf8').split('\n')) {
    const files = [...line.matchAll(/\]\(\.\.\/([^)#]+)\)/g)].map(([, file = '']) => file);
    for (const source of files.filter((file) => SOURCE.test(file)))
      found.set(source, [...(found.get(source) ?? []), ...files.filter((file) => TEST.test(file))]);
  }
  return found;
}
