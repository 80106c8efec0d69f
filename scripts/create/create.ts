/** The command of the package create-nozomi: `npm create nozomi@latest` creates a project from a template. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';

/** The folders of each template, in the order in which they are copied. */
const TEMPLATES = {
  rest: ['shared', 'js', 'rest'],
  'rest-ts': ['shared', 'ts', 'rest-ts'],
  pages: ['shared', 'js', 'views', 'pages'],
  'pages-ts': ['shared', 'ts', 'views', 'pages-ts'],
} as const;
type Template = keyof typeof TEMPLATES;

const HELP = `Creates a project with Nozomi:

  npm create nozomi@latest my-app
  npm create nozomi@latest my-app -- --template pages-ts
  pnpm create nozomi my-app --template rest
  bun create nozomi my-app --template rest

Then \`npm start --prefix my-app\` serves it.

  --template <name>   rest, rest-ts: an API that returns JSON; pages, pages-ts: pages that the server renders.
                      -ts is TypeScript, the others are JavaScript. Asked for in a terminal, otherwise rest-ts
  --nozomi <version>  the version of nozomi, or a file: such as file:../nozomi-5.3.0.tgz
  --no-install        do not install the dependencies
  --help
`;

main().then(
  (code) => {
    process.exitCode = code;
  },
  (err: Error) => {
    console.error(`create-nozomi: ${err.message}`);
    process.exitCode = 2;
  },
);

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      template: { type: 'string' },
      nozomi: { type: 'string' },
      'no-install': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const folder = resolve(positionals[0] ?? (await ask('Folder', 'my-app')));
  const template =
    values.template ?? (await ask(`Template (${Object.keys(TEMPLATES).join(', ')})`, 'rest-ts'));
  if (!isTemplate(template))
    throw new TypeError(`no template ${template}; there are ${Object.keys(TEMPLATES).join(', ')}`);
  if (existsSync(folder) && readdirSync(folder).some((name) => name !== '.git'))
    throw new TypeError(`${folder} is not empty`);
  const manager = /^(?:pnpm|bun|yarn)(?=\/)/.exec(process.env.npm_config_user_agent ?? '')?.[0] ?? 'npm';
  write(folder, template, manager, values.nozomi);
  const isInstalled = !values['no-install'] && install(folder, manager);
  const steps = [
    `cd ${relative('', folder) || '.'}`,
    ...(isInstalled ? [] : [`${manager} install`]),
    `${manager} start`,
  ];
  console.log(`\nCreated ${folder}. Now run:\n\n${steps.map((step) => `  ${step}\n`).join('')}`);
  return isInstalled || values['no-install'] ? 0 : 1;
}

function isTemplate(name: string): name is Template {
  return Object.hasOwn(TEMPLATES, name);
}

/** Asks in a terminal; elsewhere returns the default. */
async function ask(question: string, byDefault: string): Promise<string> {
  if (!process.stdin.isTTY) return byDefault;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const given = await terminal.question(`${question} [${byDefault}]: `);
  terminal.close();
  return given.trim() || byDefault;
}

function write(folder: string, template: Template, manager: string, nozomi: string | undefined): void {
  mkdirSync(folder, { recursive: true });
  for (const part of TEMPLATES[template])
    cpSync(join(__dirname, 'templates', part), folder, { recursive: true });
  // npm leaves files of these names out of packages.
  for (const name of ['gitignore', 'dockerignore'])
    renameSync(join(folder, `_${name}`), join(folder, `.${name}`));
  // The characters that npm accepts.
  const name =
    basename(folder)
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, '-')
      .replace(/^[._-]+/, '') || 'app';
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (nozomi) manifest.dependencies.nozomi = nozomi;
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name, ...manifest }, null, 2)}\n`);
  const readme = join(folder, 'README.md');
  // `bun test` is a test runner of its own.
  const run = manager === 'bun' ? 'bun run' : manager;
  const text = readFileSync(readme, 'utf8').replaceAll('RUN install', `${manager} install`);
  writeFileSync(
    readme,
    text
      .replaceAll('NAME', name)
      .replaceAll('RUN dev       ', `${manager} run dev`.padEnd(14))
      .replaceAll('RUN', run),
  );
}

/** @returns Whether the package manager installed the dependencies. */
function install(folder: string, manager: string): boolean {
  // On Windows, package managers are files of a shell. No argument comes from outside.
  const { status } = spawnSync(manager, ['install'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  return status === 0;
}
