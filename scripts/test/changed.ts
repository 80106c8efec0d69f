/** Finds the tests that the changes since the last commit can reach. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { type Chosen, chooseSteps, filesBelow, ROOT, SCENARIOS } from './choose';

const SOURCE = /^src\/.*(?<!\.d)\.ts$/;
const TEST = /\.(spec|scenarios)\.ts$/;
/** The steps that take less than some seconds, and that any change may reach. */
const ALWAYS = ['typecheck', 'map', 'readme'];

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
  importersOf ??= readImporters();
  const importers = await importersOf;
  const sections = readSections();
  const tests = new Set(
    changed.flatMap((file) =>
      SOURCE.test(file)
        ? reach([file], importers, (one) => sections.has(one)).flatMap((one) => sections.get(one) ?? [])
        : reach([file], importers, (one) => TEST.test(one)),
    ),
  );
  const ofKind = (kind: RegExp): string[] => [...tests].filter((file) => kind.test(file)).sort();
  const specs = ofKind(/\.spec\.ts$/);
  const scenarios = ofKind(/\.scenarios\.ts$/).map((file) => file.replace(/^spec\/|\.scenarios\.ts$/g, ''));
  const isAll = specs.includes(SCENARIOS);
  const files = [...new Set([...specs, ...(scenarios.length > 0 ? [SCENARIOS] : [])])];
  const env = isAll ? {} : { SCENARIOS: scenarios.join('\n') };
  return [
    ...(files.length > 0
      ? [{ stage: 'changed', name: 'tests', command: `mocha --parallel --jobs 2 ${files.join(' ')}`, env }]
      : []),
    { stage: 'changed', name: 'lint', command: `biome check --no-errors-on-unmatched ${changed.join(' ')}` },
    ...chooseSteps('quick', ALWAYS),
  ];
}

/** @returns The files that differ from the last commit, and those that git does not know. */
function changedFiles(): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);
  return [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
}

/** Climbs from some files to the first ones on each way that match. */
function reach(
  files: readonly string[],
  importers: ReadonlyMap<string, readonly string[]>,
  matches: (file: string) => boolean,
): string[] {
  const seen = new Set(files);
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
    absWorkingDir: ROOT,
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
  for (const line of readFileSync(join(ROOT, 'docs', 'sections.md'), 'utf8').split('\n')) {
    const files = [...line.matchAll(/\]\(\.\.\/([^)#]+)\)/g)].map(([, file = '']) => file);
    for (const source of files.filter((file) => SOURCE.test(file)))
      found.set(source, [...(found.get(source) ?? []), ...files.filter((file) => TEST.test(file))]);
  }
  return found;
}
