/** `nozomi-parity dev`: runs an application, restarts it after each change, and shows its mistakes. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { moduleBeside } from '../implementations/typescript';
import { type Command, onlyFile, subcommand } from './subcommand';

const DEV_HELP = `Runs an application, restarts it after each change of its files, and shows its mistakes:

  nozomi-parity dev app.js
  nozomi-parity dev src/server.ts -- --port 8080     with arguments of the application

Runs the application as node would, with your environment and source maps, and with Nozomi in place of Express 4 and 5. When
it listens, prints what nozomi-parity doctor finds. While it runs, prints each mistake where a request shows it, once: a
second response, a header after the response, a promise or a status as the body, a request without a response, a handler
that blocks, and errors with the lines of the source around them. Standard output is that of the application.

  --once                    run it once, without restarts
  --help

Exit code: that of the application; 2 if it cannot be started.
`;

export const dev: Command = subcommand({
  name: 'dev',
  help: DEV_HELP,
  options: { once: { type: 'boolean', default: false } },
  async run({ values, positionals, behind }) {
    const given = onlyFile(positionals, 'dev');
    const file = resolve(given);
    if (!existsSync(file)) throw new TypeError(`no such file: ${given}`);
    const { module, loaders } = moduleBeside(join(__dirname, '..', 'dev', 'preload'), file);
    const child = spawn(
      process.execPath,
      [
        ...(values.once ? [] : ['--watch', '--watch-preserve-output']),
        '--no-warnings',
        '--enable-source-maps',
        ...loaders,
        '--require',
        module,
        file,
        ...behind,
      ],
      { stdio: 'inherit', env: { ...process.env, NOZOMI_DEV: file } },
    );
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
    process.on('SIGINT', forward).on('SIGTERM', forward);
    return new Promise<number>((settle, reject) => {
      child.once('error', reject);
      child.once('close', (code) => settle(code ?? 0));
    });
  },
});
