/** Imports the packed package, with the name `express`, in each way that applications import Express. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { npmInstall } from '../../parity/harness/packages';
import { temporaryFolder } from '../../parity/temporary-folder';
import { makeTarball } from '../../scripts/package/tarball';
import { FORMS, type Form, programOf, SYSTEMS, type System } from './module-systems';

const work = temporaryFolder('module-systems');
const bin = join(work, 'node_modules', '.bin');
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
const APPLICATION = /^function function$/;

describe('imports of the package', function () {
  this.timeout(900_000);
  before(() => {
    npmInstall(work, [...new Set(Object.values(SYSTEMS).flatMap(({ packages }) => packages))]);
    npmInstall(join(work, 'baseline'), ['express@5.3.0']);
    npmInstall(join(work, 'candidate'), [`express@file:${makeTarball('5', work)}`]);
  });

  for (const [name, system] of Object.entries(SYSTEMS)) {
    it(`${name}: each form gives what it gives with Express`, () => {
      const forms = Object.keys(FORMS) as Form[];
      const [theirs, ours] = ['baseline', 'candidate'].map((folder) =>
        Object.fromEntries(forms.map((form) => [form, reportOf(system, form, join(work, folder))])),
      );

      expect(forms.filter((form) => APPLICATION.test(theirs?.[form] ?? ''))).to.have.members(system.callable);
      // A default export of its own makes one more form work: `import express` without esModuleInterop.
      for (const form of forms) if (theirs?.[form]) expect(ours?.[form], form).to.equal(theirs[form]);
    });
  }
});

/** @returns What a program prints about `express`; `''` if it fails. */
function reportOf({ extensions, commands }: System, form: Form, project: string): string {
  const folder = join(project, `run-${Math.random()}`);
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    "export default { test: { globals: true, include: ['*.ts'] } };",
  );
  const file = join(folder, `program.${extensions[form === 'require' ? 1 : 0]}`);
  writeFileSync(file, programOf(form));
  let printed = '';
  for (const [command = '', ...args] of commands(file, join(folder, 'output.cjs'))) {
    const { stdout, status } = spawnSync(command, args, { cwd: work, encoding: 'utf8', env });
    if (status !== 0 && !stdout.includes('RESULT ')) return '';
    printed = stdout;
  }
  return /RESULT (.*)/.exec(printed)?.[1] ?? '';
}
