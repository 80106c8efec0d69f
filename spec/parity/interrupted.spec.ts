import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../parity/temporary-folder';
import { programOf } from '../support/programs';
import { until } from '../support/until';

const PARITY = join('parity', 'command', 'run.ts');
const ROOT = join(__dirname, '..', '..');
/** The moments at which the signal is sent, recognised by the temporary files of the run. */
const MOMENTS: Readonly<Record<string, (temporary: string) => boolean>> = {
  'as it starts': () => true,
  'while the implementations start': (temporary) => implementationsIn(temporary).length > 0,
  'while scenarios are played': (temporary) =>
    implementationsIn(temporary).some((folder) =>
      namesIn(folder).some((name) => name.startsWith('scenario-')),
    ),
};

const COMMANDS: Readonly<Record<string, (folder: string) => string[]>> = {
  'a comparison': (folder) => [
    '--section',
    '4-endpoints',
    '--reporter',
    'json',
    '--output',
    join(folder, 'report.json'),
  ],
  'a recording': (folder) => [
    '--section',
    '4-endpoints',
    '--update',
    '--recordings',
    join(folder, 'recordings'),
  ],
};

/** An application of Express 4 that does not respond, so that the command waits. It shows that a request has arrived. */
const SILENT = {
  'package.json': '{}',
  'app.js': `
    const app = require('express')();
    app.get('*', () => require('fs').writeFileSync(process.env.REQUESTED, ''));
    app.listen(0);`,
  'requests.http': 'GET /',
};

describe('nozomi-parity, interrupted by a signal', function () {
  this.timeout(60_000);

  for (const [what, argumentsFor] of Object.entries(COMMANDS)) {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      it(`leaves no process, temporary file or partial file of ${what} after ${signal}`, async () => {
        const folder = temporaryFolder('interrupted');
        const temporary = join(folder, 'temporary');
        mkdirSync(temporary);
        for (const [moment, isReached] of Object.entries(MOMENTS)) {
          const code = await interrupt(
            [PARITY, ...argumentsFor(folder)],
            temporary,
            () => isReached(temporary),
            signal,
          );
          await until(() => processesBelow(temporary).length === 0, 'no process is left');

          // The exit code is null if the signal arrives before the command listens for signals.
          expect(code, moment).to.be.oneOf([null, 128 + constants.signals[signal]]);
          expect(processesBelow(temporary), `processes, stopped ${moment}`).to.deep.equal([]);
          expect(readdirSync(temporary).filter((name) => name.startsWith('nozomi-'))).to.deep.equal([]);
          for (const file of filesBelow(folder)) JSON.parse(readFileSync(file, 'utf8'));
        }
      });
    }
  }

  for (const [what, argumentsFor] of Object.entries({
    'the check of a migration': (file: string, requests: string) => [
      'migrate',
      file,
      '--check',
      file,
      '--requests',
      requests,
    ],
    'a trial': (file: string, requests: string) => ['try', file, '--requests', requests],
  })) {
    it(`leaves no process, temporary file or changed file of ${what} after Ctrl+C`, async () => {
      const folder = temporaryFolder('interrupted');
      const [temporary, home] = [join(folder, 'temporary'), join(folder, 'application')];
      for (const path of [temporary, join(home, 'node_modules')]) mkdirSync(path, { recursive: true });
      symlinkSync(dirname(require.resolve('express4')), join(home, 'node_modules', 'express'), 'junction');
      for (const [name, text] of Object.entries(SILENT)) writeFileSync(join(home, name), text);

      const code = await interrupt(
        [PARITY, ...argumentsFor(join(home, 'app.js'), join(home, 'requests.http'))],
        temporary,
        () => existsSync(join(folder, 'requested')),
        'SIGINT',
        { REQUESTED: join(folder, 'requested') },
      );
      await until(() => processesBelow(temporary).length === 0, 'no process is left');

      expect(code).to.equal(130);
      expect(readdirSync(temporary).filter((name) => name.startsWith('nozomi-'))).to.deep.equal([]);
      expect(readFileSync(join(home, 'app.js'), 'utf8')).to.equal(SILENT['app.js']);
    });
  }

  it('ends npm run check -- trust with the comparison that it runs', async () => {
    const temporary = temporaryFolder('interrupted');
    const isReached = (): boolean => implementationsIn(temporary).length > 0;
    const code = await interrupt(
      [join('scripts', 'trust', 'run.ts'), '--runs', '1'],
      temporary,
      isReached,
      'SIGTERM',
    );
    await until(() => processesBelow(temporary).length === 0, 'no process is left');

    expect(code).to.equal(2);
  });
});

async function interrupt(
  args: readonly string[],
  temporary: string,
  isReached: () => boolean,
  signal: NodeJS.Signals,
  env: NodeJS.ProcessEnv = {},
): Promise<number | null> {
  const child = spawn(process.execPath, ['--require', 'tsx/cjs', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env, TMPDIR: temporary, TEMP: temporary, TMP: temporary },
    stdio: 'ignore',
  });
  const ended = once(child, 'close');
  await until(() => isReached() || child.exitCode !== null, 'the moment to interrupt it');
  if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} before it was interrupted`);
  child.kill(signal);
  const [code] = await ended;
  return code;
}

function implementationsIn(temporary: string): string[] {
  return namesIn(temporary)
    .filter((name) => name.startsWith('nozomi-implementation-'))
    .map((name) => join(temporary, name));
}

/** @returns The names of the files in a folder; none if the folder does not exist. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** @returns The command lines of running implementations, which contain their temporary folder; none on Windows. */
function processesBelow(temporary: string): string[] {
  if (process.platform === 'win32') return [];
  const running = execFileSync(programOf('ps'), ['-A', '-o', 'args='], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return running.split('\n').filter((line) => line.includes(join(temporary, 'nozomi-implementation-')));
}

function filesBelow(folder: string): string[] {
  return ['report.json', 'recordings']
    .map((name) => join(folder, name))
    .filter(existsSync)
    .flatMap((path) =>
      path.endsWith('.json')
        ? [path]
        : readdirSync(path, { recursive: true, encoding: 'utf8' })
            .filter((name) => name.includes('.'))
            .map((name) => join(path, name)),
    );
}
