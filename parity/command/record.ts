/** `nozomi record`: starts an application as node would, and records the requests it receives. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loaderFor } from '../application/typescript';
import type { RecorderOptions } from '../recorder/recorder';

const RECORD_HELP = `Starts an application as node would, and records what it is asked as HAR, for nozomi parity:

  nozomi record app.js -o traffic.har               ends when the application ends: press Ctrl+C
  nozomi record app.js -o traffic.har -- --port 80  with arguments of the application

Uploads and streams are recorded too. Of each route, status and shape of bodies one request is kept. Cookies,
authorization, passwords, tokens and e-mail addresses are masked.

  -o, --output <file>     default traffic.har; a file that exists is replaced
  --keep <n>              requests of each route, status and shape; default 1
  --max-bytes <n>         of the file; default 20000000
  --max-body <n>          of one body; default 262144. A longer one is left out
  --scrub-header <name>   masked too; may be given several times
  --scrub-member <name>   of JSON, forms and queries, masked too; may be given several times
  --no-scrub              masks nothing
`;

/** @returns The exit code of the application; 2 if it does not start. */
export async function record(args: readonly string[]): Promise<number> {
  try {
    return await run(args);
  } catch (error) {
    console.error(`record: ${(error as Error).message}`);
    return 2;
  }
}

async function run(args: readonly string[]): Promise<number> {
  const end = args.indexOf('--');
  const { values, positionals } = parseArgs({
    args: [...(end < 0 ? args : args.slice(0, end))],
    allowPositionals: true,
    options: {
      output: { type: 'string', short: 'o', default: 'traffic.har' },
      keep: { type: 'string' },
      'max-bytes': { type: 'string' },
      'max-body': { type: 'string' },
      'scrub-header': { type: 'string', multiple: true, default: [] },
      'scrub-member': { type: 'string', multiple: true, default: [] },
      'no-scrub': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(RECORD_HELP);
    return 0;
  }
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new TypeError('which application? nozomi record app.js');
  if (!existsSync(file)) throw new TypeError(`no such file: ${file}`);
  const [keep, maxBytes, maxBody] = (['keep', 'max-bytes', 'max-body'] as const).map((name) =>
    count(name, values[name]),
  );
  const options: RecorderOptions = {
    file: resolve(values.output),
    ...(keep && { keep }),
    ...(maxBytes && { maxBytes }),
    ...(maxBody && { maxBody }),
    scrub: values['no-scrub'] ? false : { headers: values['scrub-header'], members: values['scrub-member'] },
  };
  const register = join(__dirname, '..', 'recorder', 'register.js');
  const child = spawn(
    process.execPath,
    ['--require', register, ...loaderFor(resolve(file)), file, ...(end < 0 ? [] : args.slice(end + 1))],
    { stdio: 'inherit', env: { ...process.env, NOZOMI_RECORD: JSON.stringify(options) } },
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((settle, reject) => {
    child.once('error', reject);
    child.once('close', (code) => settle(code ?? 0));
  });
}

function count(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new TypeError(`--${name}: wanted a whole number from 1, got "${value}"`);
}
