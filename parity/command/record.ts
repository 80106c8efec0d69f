/** `nozomi-parity record`: starts an application as `node` would, and records its requests and responses. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { loaderFor } from '../implementations/typescript';
import type { RecorderOptions } from '../recorder/recorder';
import type { PreloadedOptions } from '../recorder/register';
import { type Command, onlyFile, subcommand } from './subcommand';

const RECORD_HELP = `Starts an application as node would, and records its requests and responses as HAR, for nozomi-parity:

  nozomi-parity record app.js -o traffic.har               ends when the application ends: press Ctrl+C
  nozomi-parity record app.js -o traffic.har -- --port 80  with arguments of the application

Uploads and streams are recorded, too. The recording keeps each request that changes state, one of each
other kind (route, names of the query, operation, status, members of the body), and all whose responses later ones use.
It masks cookies, authorization, passwords, tokens, keys and e-mail addresses. Only you can read the file.
At the end it prints what was masked and dropped, and which requests were not recorded, such as WebSockets.

  -o, --output <file>     the recording; default traffic.har. An existing file is replaced
  --outgoing <file>       also record what the application asks of others, for --hermetic: HTTP, PostgreSQL and Redis
  --keep <n>              keep n requests of each kind that changes no state; default 1
  --max-bytes <n>         maximum length of the file; default 20000000
  --max-body <n>          maximum length of a body; default 262144. A longer body is omitted
  --scrub-header <name>   mask this header, too; may be given several times
  --scrub-member <name>   mask this member of JSON, forms and queries, too; may be given several times
  --keep-secrets          keep the masked values of requests in .nozomi/, which Git ignores, so that nozomi-parity can log in
  --keep-binary           keep bodies and parts of forms that are not text; without it, each byte is replaced with "x"
  --no-scrub              mask nothing, and keep all bodies
`;

/** The exit code is that of the application, 0 if a signal ended it, or 2 if its process could not be started. */
export const record: Command = subcommand({
  name: 'record',
  help: RECORD_HELP,
  options: {
    output: { type: 'string', short: 'o', default: 'traffic.har' },
    outgoing: { type: 'string' },
    keep: { type: 'string' },
    'max-bytes': { type: 'string' },
    'max-body': { type: 'string' },
    'scrub-header': { type: 'string', multiple: true, default: [] },
    'scrub-member': { type: 'string', multiple: true, default: [] },
    'keep-secrets': { type: 'boolean', default: false },
    'keep-binary': { type: 'boolean', default: false },
    'no-scrub': { type: 'boolean', default: false },
  },
  async run({ values, positionals, behind }) {
    const file = onlyFile(positionals, 'record');
    const [keep, maxBytes, maxBody] = (['keep', 'max-bytes', 'max-body'] as const).map((name) =>
      count(name, values[name]),
    );
    const options: RecorderOptions = {
      file: resolve(values.output),
      ...(keep && { keep }),
      ...(maxBytes && { maxBytes }),
      ...(maxBody && { maxBody }),
      keepSecrets: values['keep-secrets'],
      scrub: values['no-scrub']
        ? false
        : {
            headers: values['scrub-header'],
            members: values['scrub-member'],
            binary: values['keep-binary'],
          },
    };
    return recordApplication(file, options, behind, values.outgoing);
  },
});

/**
 * Starts an application and records it until it ends.
 *
 * @param args The arguments of the application.
 * @param outgoing The file for what the application asks of others.
 * @returns The exit code: that of the application, or as shells report its end by a signal.
 * @throws TypeError if there is no such file.
 */
export function recordApplication(
  file: string,
  options: Omit<PreloadedOptions, 'parent'>,
  args: readonly string[],
  outgoing?: string,
): Promise<number> {
  if (!existsSync(file)) throw new TypeError(`no such file: ${file}`);
  const register = join(__dirname, '..', 'recorder', 'register.js');
  const preloaded = [register];
  if (outgoing !== undefined) preloaded.push(join(__dirname, '..', 'hermetic', 'outgoing.js'));
  const requires = preloaded.flatMap((one) => ['--require', one]);
  const child = spawn(process.execPath, [...requires, ...loaderFor(resolve(file)), file, ...args], {
    stdio: 'inherit',
    env: {
      ...process.env,
      NOZOMI_RECORD: JSON.stringify({ ...options, parent: process.pid }),
      ...(outgoing !== undefined && {
        NOZOMI_OUTGOING: JSON.stringify({ file: resolve(outgoing), parent: process.pid }),
      }),
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((settle, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => settle(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

function count(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new TypeError(`--${name}: expected a whole number from 1, got "${value}"`);
}
