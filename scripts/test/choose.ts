/** Chooses the steps of a run, or the tests that a name stands for. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './shell';
import { RUNS, type Run, STAGES, type Step, testsBuild } from './stages';

export interface Chosen extends Pick<Step, 'name' | 'isAlone' | 'needsNoBuild'> {
  readonly stage: string;
  readonly command: string;
  readonly env?: Readonly<Record<string, string>>;
}

const CLAUSE = /^([FL]-\d+(\.\d+)?-\d+|E4-[A-J]\d+)$/;
export const SCENARIOS = 'spec/scenarios.spec.ts';

/**
 * @param names Stages or steps; empty for all. A step that does not belong to the run, or a stage without such steps, runs as
 *   with `--all`. Other names are clauses, or parts of paths of specs, or of names of scenarios.
 * @throws TypeError for a name without tests; its message lists the stages and steps.
 */
export function chooseSteps(run: Run, names: readonly string[]): Chosen[] {
  const steps = STAGES.flatMap(({ name: stage, steps }) => {
    const ofRun = steps.filter(({ commands }) => commands[run] !== undefined);
    const named = names.includes(stage) && ofRun.length === 0 ? steps : ofRun;
    const chosen =
      names.length === 0 || names.includes(stage) ? named : steps.filter(({ name }) => names.includes(name));
    return chosen.map(({ commands, ...step }) => ({ ...step, stage, command: commandOf(commands, run) }));
  });
  const known = new Set(STAGES.flatMap(({ name, steps }) => [name, ...steps.map((step) => step.name)]));
  return [...steps, ...names.filter((name) => !known.has(name)).map(testsNamed)];
}

/** @returns The command for a run, or for the next longer run that has one. */
function commandOf(commands: Step['commands'], run: Run): string {
  const longer = RUNS.slice(RUNS.indexOf(run)).find((one) => commands[one] !== undefined) ?? 'all';
  return commands[longer] ?? commands.all;
}

/** Runs the specs that prove a clause or have this path, and the scenarios with this clause or name. */
function testsNamed(name: string): Chosen {
  const files = filesBelow('spec');
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const specs = files.filter(
    (file) =>
      /\.spec\.ts$/.test(file) &&
      (file.includes(name) || (CLAUSE.test(name) && new RegExp(`proves\\(.*${name}\\b`).test(read(file)))),
  );
  const scenarios = files.filter((file) => /\.scenarios\.ts$/.test(file));
  const end = name.replace(/^.*?: /, '');
  if (scenarios.some((file) => file.includes(name) || read(file).includes(end))) specs.push(SCENARIOS);
  if (specs.length > 0)
    return {
      stage: 'named',
      name,
      command: `mocha --fail-zero ${specs.join(' ')}`,
      env: { SCENARIOS: name },
      isAlone: true,
      needsNoBuild: !specs.some(testsBuild),
    };
  const known = STAGES.map((stage) => `${stage.name} (${stage.steps.map((step) => step.name).join(', ')})`);
  throw new TypeError(
    `expected stages, steps, clauses, or a part of a path or of the name of a scenario, got "${name}":\n${known.join('\n')}`,
  );
}

/** @returns The paths of the files below a folder, from the root of the repository. */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
    (file) => `${folder}/${file.replaceAll('\\', '/')}`,
  );
}
