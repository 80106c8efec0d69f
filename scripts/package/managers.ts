/**
 * Tests a new project with each package manager. It installs the tarballs of nozomi-parity and nozomi-corpus, Express and
 * morgan. Nozomi itself is only a dependency of nozomi-parity. Then it records an application, plays the recording and a
 * scenario, and runs one section of nozomi-corpus.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmInstall } from '../../parity/harness/packages';
import { run } from '../../parity/harness/processes';
import { expectOutput } from './expect';
import { root } from './tree';

interface Manager {
  /** The npm package of the package manager; undefined for npm itself. */
  readonly tool?: string;
  /** The command that installs the dependencies of a project, with its arguments. */
  readonly install: readonly string[];
  /** The command that runs a binary of an installed package; the name of the binary follows. */
  readonly exec: readonly string[];
  /** Texts of additional files in the project, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

export const MANAGERS: Readonly<Record<string, Manager>> = {
  npm: { install: ['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error'], exec: ['npx', '--no'] },
  pnpm: { tool: 'pnpm@10', install: ['pnpm', 'install', '--ignore-scripts'], exec: ['pnpm', 'exec'] },
  'yarn with PnP': {
    tool: '@yarnpkg/cli-dist@4',
    install: ['yarn', 'install'],
    exec: ['yarn', 'exec'],
    files: {
      '.yarnrc.yml': 'nodeLinker: pnp\nenableTelemetry: false\nenableImmutableInstalls: false\n',
      'yarn.lock': '',
    },
  },
  bun: { tool: 'bun@1', install: ['bun', 'install'], exec: ['bun', 'x', '--no-install'] },
};

/** An application that sends a request to itself if the variable `ASK` is set, while `nozomi-parity record` records it. */
const APPLICATION = `
  const app = require('express')();
  app.get('/books/:id', (req, res) => res.json({ id: req.params.id }));
  const server = app.listen(0, '127.0.0.1', async () => {
    if (!process.env.ASK) return;
    await fetch('http://127.0.0.1:' + server.address().port + '/books/3').then((response) => response.text());
    setTimeout(() => process.exit(), 200);
  });`;

const SCENARIO = `
  const { get, scenario } = require('nozomi-parity');
  module.exports = [
    scenario({
      name: 'says hello',
      build: ({ framework }) => framework().get('/', (_req, res) => res.send('hello')),
      requests: [get('/')],
    }),
  ];`;

const SCORE = `
  const { score } = require('nozomi-corpus');
  const given = { framework: require('express'), logger: require('morgan'), sections: ['6-events/6-mount'] };
  score(given).then(({ equal, played }) => { console.log(equal + ' of ' + played); process.exit(); });`;

/** Packs nozomi-corpus. @returns The path of its tarball. */
export function packCorpus(work: string): string {
  run('npm', ['run', '--silent', 'generate', '--', 'corpus'], root);
  mkdirSync(work, { recursive: true });
  run('npm', ['pack', '--pack-destination', work], join(root, 'report', 'corpus'));
  return join(work, readdirSync(work).find((file) => file.endsWith('.tgz')) ?? '');
}

/**
 * Creates a project, installs its dependencies with a package manager, and runs the commands.
 *
 * @param name A key of `MANAGERS`.
 * @param packages The paths of the tarballs, by name of the package.
 * @throws Error if a command fails or prints something else than expected.
 */
export function checkManager(
  name: string,
  packages: Readonly<Record<string, string>>,
  project: string,
): void {
  const { tool, install, exec, files = {} } = MANAGERS[name] as Manager;
  const { nozomi, ...direct } = Object.fromEntries(
    Object.entries(packages).map(([one, tarball]) => [one, `file:${tarball}`]),
  );
  // Each manager has its own member to replace a package of the registry, which does not have this version yet.
  const overrides = { nozomi };
  const manifest = {
    private: true,
    dependencies: { ...direct, express: '5.3.0', morgan: '1.12.1' },
    overrides,
    resolutions: overrides,
    pnpm: { overrides },
  };
  const written = {
    'package.json': JSON.stringify(manifest),
    'app.js': APPLICATION,
    'parity/scenarios/first.js': SCENARIO,
    'score.js': SCORE,
    ...files,
  };
  mkdirSync(join(project, 'parity', 'scenarios'), { recursive: true });
  for (const [file, text] of Object.entries(written)) writeFileSync(join(project, file), text);
  const tools = `${project}-tools`;
  if (tool) npmInstall(tools, [tool]);
  const path = `${join(tools, 'node_modules', '.bin')}:${process.env.PATH}`;
  const expect = (command: readonly string[], output: RegExp, env = {}): void =>
    expectOutput(command, project, output, { env: { PATH: path, ...env } });
  expect(install, /(?:)/);
  expect([...exec, 'nozomi-parity', 'record', 'app.js', '-o', 'traffic.har'], /recorded 1 request /, {
    ASK: 'yes',
  });
  expect([...exec, 'nozomi-parity', 'app.js', '--har', 'traffic.har'], /2 passed, 0 failed\n/);
  expect([...exec, 'nozomi-parity'], /1 passed, 0 failed\n/);
  expect(name === 'yarn with PnP' ? ['yarn', 'node', 'score.js'] : ['node', 'score.js'], /^(\d+) of \1$/m);
}
