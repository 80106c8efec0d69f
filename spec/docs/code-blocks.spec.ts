/** Runs the applications in the code blocks of the guide, and checks commands, options and data in the others. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { transformSync } from 'esbuild';
import { parseAllDocuments } from 'yaml';
import manifest from '../../package.json';
import { readRequests } from '../../parity/application/traffic';
import { GROUPS } from '../../scripts/groups';
import { type CodeBlock, codeBlocks, guidePages, hasExpectations, ROOT } from '../support/code-blocks';

/** The folder for applications. In a folder of the package, `nozomi` resolves to this package. */
const FOLDER = join(ROOT, 'report', 'code-blocks');

/** Code around each block: definitions that blocks use but do not show, such as `app`. */
const AROUND = `
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Server } from 'node:net';
import { tmpdir } from 'node:os';
const require = createRequire(import.meta.url);
const module = { exports: {} };
const { listen } = Server.prototype;
Server.prototype.listen = function (...[port, ...more]) {
  return listen.call(this, typeof port === 'object' ? { ...port, port: 0 } : 0, ...more.filter((arg) => typeof arg === 'function'));
};
const express = require('nozomi');
const nozomi = express;
const logger = require('nozomi/logger');
const [cert, key] = ['cert', 'key'].map((name) => readFileSync('../../spec/parity/applications/secure/' + name + '.pem'));
const root = tmpdir();
const app = express();
const server = app.listen(0);
const old = require('nozomi/3')();
const hono = { fetch: () => new Response() };
const deny = (req, res) => res.sendStatus(403);
const registry = deny;
const find = async (id) => ({ id });
const load = find;
`;

const blocks = guidePages().flatMap(codeBlocks);

describe('docs, code blocks of the guide', () => {
  before(() => mkdirSync(FOLDER, { recursive: true }));
  after(() => rmSync(FOLDER, { recursive: true, force: true }));

  it('have no language, or one from the list of this spec', () => {
    const known = ['', 'js', 'ts', 'sh', 'json', 'yaml', 'ini', 'diff', 'http', 'dockerfile', 'nginx'];
    const others = blocks.filter(({ language }) => !known.includes(language)).map(nameOf);
    expect(others).to.deep.equal([]);
  });

  it('run without errors if they are JavaScript or TypeScript', async () => {
    // typescript-page.spec.ts compiles the blocks of docs/typescript.md.
    const programs = of('js', 'ts').filter(
      (block) => !hasExpectations(block) && block.file !== 'docs/typescript.md',
    );
    const failed: string[] = [];
    const next = programs[Symbol.iterator]();
    const work = async () => {
      for (const block of next) {
        const output = await runProgram(block, programs.indexOf(block));
        if (output !== undefined) failed.push(`${nameOf(block)}\n${output}`);
      }
    };
    await Promise.all([work(), work()]);

    expect(programs).to.have.length.above(10);
    expect(failed).to.deep.equal([]);
  }).timeout(120_000);

  it('contain only commands and options that exist', () => {
    const commands = of('sh').flatMap((block) => commandsIn(block).map((command) => ({ block, command })));
    expect(commands).to.have.length.above(30);
    expect(
      commands
        .filter(({ command }) => !exists(command))
        .map(({ block, command }) => `${nameOf(block)}: ${command}`),
    ).to.deep.equal([]);
  });

  for (const block of of('json', 'yaml', 'ini', 'http', 'diff'))
    it(`have valid syntax in ${nameOf(block)}`, () => {
      READERS[block.language]?.(block.code);
    });
});

const READERS: Record<string, (code: string) => void> = {
  json: (code) => void JSON.parse(code),
  yaml(code) {
    for (const document of parseAllDocuments(code)) {
      expect(document.errors).to.deep.equal([]);
      expect(document.toJS()).to.be.an.instanceOf(Object);
    }
  },
  ini(code) {
    for (const line of code.split('\n')) expect(line).to.match(/^(\[\w+\]|\w+=\S.*|# .*|)$/);
  },
  http(code) {
    const file = join(FOLDER, 'requests.http');
    writeFileSync(file, code);
    for (const [, name = ''] of code.matchAll(/^< (\S+)$/gm)) writeFileSync(join(FOLDER, name), '');
    expect(readRequests(file).requests).to.have.length.above(0);
  },
  diff(code) {
    for (const sign of ['-', '+']) {
      const side = code.split('\n').filter((line) => line.startsWith(sign) || line.startsWith(' '));
      transformSync(side.map((line) => line.slice(1)).join('\n'), { loader: 'ts' });
    }
  },
};

function of(...languages: string[]): CodeBlock[] {
  return blocks.filter(({ language }) => languages.includes(language));
}

function nameOf({ file, line }: CodeBlock): string {
  return `${file}:${line}`;
}

/** Runs a block as a program. @returns Its output if it failed, otherwise undefined. */
function runProgram({ code }: CodeBlock, index: number): Promise<string | undefined> {
  const source = code
    .replace(/(['"])express(\/\w+)?\1/g, "'nozomi$2'")
    // The page about scenarios imports files of the parity suite. The package exports them as `nozomi-parity`.
    .replace(/'\.\.\/\.\.\/parity\/(?:client|scenario)\/\w+'/g, "'nozomi-parity'")
    .replace(/(['"])nozomi-parity(\/\w+)?\1/g, "'../../dist/parity$2/index.js'")
    .replace(/^export default /gm, 'module.exports = ');
  const imports = /^import .*;$/gm;
  const inner = source.replace(imports, '');
  const text = `${source.match(imports)?.join('\n') ?? ''}\n${AROUND}\n{\n${inner}\n}\nsetTimeout(() => process.exit(0), 100);\n`;
  const file = join(FOLDER, `block-${index}.mjs`);
  writeFileSync(file, transformSync(text, { loader: 'ts', format: 'esm', target: 'node20' }).code);
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [file],
      { cwd: FOLDER, timeout: 30_000, env: { ...process.env, NODE_ENV: 'test', TMPDIR: FOLDER } },
      (error, output, errors) => resolve(error ? `${output}${errors}` || error.message : undefined),
    );
  });
}

/** @returns The commands of a block for a shell, without comments and prompts. */
function commandsIn({ code }: CodeBlock): string[] {
  return code
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => line.replace(/\s+# .*$|^#.*$/, '').split(' && '))
    .map((command) => command.replace(/^\$ /, '').trim())
    .filter((command) => command !== '');
}

/** Whether a script or command of this package exists and has the options, or the command is one of `OTHERS`. */
function exists(command: string): boolean {
  const [program, verb, name = ''] = command.split(/\s+/);
  const options = [...command.matchAll(/\s--([a-z][\w-]*)/g)].map(([, option]) => option ?? '');
  if (program === 'npm' && verb === 'run') {
    const [, chosen] = / -- ([\w-]+)/.exec(command) ?? [];
    const commands = GROUPS[name];
    const file = commands && chosen ? commands[chosen] : undefined;
    if (commands && chosen)
      return file !== undefined && options.every((option) => sourceOf(`scripts/${file}`).includes(option));
    const script = (manifest.scripts as Record<string, string>)[name];
    return script !== undefined && options.every((option) => sourceOf(script).includes(option));
  }
  if (program === 'npm' && verb === 'create' && name.startsWith('nozomi@'))
    return options.every((option) => sourceOf('scripts/create/create.ts').includes(option));
  // With `--prefix`, npm runs a script of another project.
  if (program === 'npm' && (verb === 'start' || verb === 'test') && !options.includes('prefix'))
    return options.every((option) => verb === 'test' && sourceOf('scripts/test.ts').includes(option));
  if (program === 'npx' && verb === 'nozomi-parity')
    return options.every((option) => sourceOf('parity/command/run.ts').includes(option));
  return OTHERS.some((other) => other.test(command));
}

const OTHERS = [
  /^npm (ci|install|remove|uninstall|exec|pack|view)\b/,
  /^(pnpm|yarn|bun) (add|install)\b/,
  /^npm (start|test) --prefix\b/,
  /^npx (mocha|pm2) /,
  /^(taskset|node|apt-get|docker|kubectl|curl|git|systemctl|cd|export|PROPERTY_SEED=)\b/,
];

/** @returns The sources in the folder of a script, which contain the names of its options; else package.json. */
function sourceOf(script: string): string {
  const file = script.match(/[\w/-]+\.ts/g)?.at(-1);
  if (!file) return readFileSync(join(ROOT, 'package.json'), 'utf8');
  const folder = dirname(join(ROOT, file));
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  return sources.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}
