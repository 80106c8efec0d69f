/** The build as the first step of a run, if a step needs it and dist/ is older than its sources. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Chosen } from './choose';
import { root } from './shell';

/** What the build reads, besides the configurations of TypeScript. */
const READ = ['src', 'parity', 'scripts/build', 'scripts/build.ts', 'package-lock.json', 'package.json'];

export const BUILD_STEP: Chosen = {
  stage: 'build',
  name: 'build',
  command: 'node --require tsx/cjs scripts/build.ts',
  needsNoBuild: true,
};

export function withBuild(steps: readonly Chosen[]): readonly Chosen[] {
  return steps.every(({ needsNoBuild }) => needsNoBuild) || isCurrent() ? steps : [BUILD_STEP, ...steps];
}

/** Whether nothing that the build reads has changed since it began. The build writes build/began at its end. */
function isCurrent(): boolean {
  const configurations = readdirSync(root).filter((name) => /^tsconfig.*\.json$/.test(name));
  const files = [...READ, ...configurations].flatMap((name) => [
    name,
    ...(statSync(join(root, name)).isDirectory()
      ? readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((file) => join(name, file))
      : []),
  ]);
  const built = timeOf('build/began');
  return existsSync(join(root, 'dist')) && files.every((file) => timeOf(file) < built);
}

/** @returns The time of the last change, or 0 if there is no such file. */
function timeOf(file: string): number {
  return statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
