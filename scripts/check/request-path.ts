// Prints the road of a request: the files whose functions run for it, in order, beside the road in Express. Counts the
// files and the switches between them, packages included. Exit code 1 if a road has more than MOST. Needs a build.
//
//   npm run check -- request-path                prints the numbers
//   npm run check -- request-path --print     prints also each file with its functions, in order
import http from 'node:http';
import Module from 'node:module';
import type { AddressInfo } from 'node:net';
import { join, relative, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import ts from '@typescript/typescript6';
import { runCommand } from '../command';

interface Road {
  readonly files: number;
  readonly switches: number;
}

/** What is allowed at most. The numbers only shrink, except for a file that makes every request faster. */
const MOST: Readonly<Record<string, Road>> = {
  'json, nozomi': { files: 18, switches: 27 },
  'json, nozomi/4': { files: 21, switches: 35 },
  'static, nozomi': { files: 19, switches: 33 },
  'static, nozomi/4': { files: 27, switches: 49 },
};

const root = join(__dirname, '..', '..');
const BUILD = join(root, 'build');

/** The entry points, each followed by the one of Express. */
const FRAMEWORKS: Readonly<Record<string, string>> = {
  nozomi: join(BUILD, 'index.js'),
  'express 5': 'express',
  'nozomi/4': join(BUILD, 'express4', 'index.js'),
  'express 4': 'express4',
};

const TARGETS: Readonly<Record<string, string>> = { json: '/users/7', static: '/LICENSE' };
const WARM_UP = 5;
/** Turns of the event loop after which a request is over. */
const TURNS = 20;

/** One call of a function. */
type Step = readonly [file: string, name: string];

let steps: Step[] = [];
Object.assign(globalThis, { __step: (...step: Step) => void steps.push(step) });

runCommand({
  options: { print: { type: 'boolean' } },
  run: ({ values }) => compareRoads(Boolean(values.print)),
});

async function compareRoads(isPrinted: boolean): Promise<boolean> {
  instrumentModules();
  let isShort = true;
  for (const [name, file] of Object.entries(FRAMEWORKS)) {
    for (const [kind, target] of Object.entries(TARGETS)) {
      const road = `${kind}, ${name}`;
      const stays = staysOf(await stepsOf(require(file), target));
      const files = new Set(stays.map(([at]) => at)).size;
      console.log(`${road}: ${files} files, ${stays.length} switches`);
      if (isPrinted) for (const [at, ...names] of stays) console.log(`  ${at}  ${names.join(' ')}`);
      const { [road]: most } = MOST;
      if (!most || (files <= most.files && stays.length <= most.switches)) continue;
      console.error(`${road}: at most ${most.files} files and ${most.switches} switches are allowed`);
      isShort = false;
    }
  }
  return isShort;
}

/** Makes each function of a module that is loaded from now on record its call. `debug` is no part of the road. */
function instrumentModules(): void {
  // A cast, because @types/node does not declare this method.
  const prototype = Module.prototype as Module & { _compile(content: string, file: string): unknown };
  const { _compile: compile } = prototype;
  prototype._compile = function (content, file) {
    return Reflect.apply(compile, this, [isOnRoad(file) ? instrument(content, file) : content, file]);
  };
}

/** Whether the road passes through a file: not through the package debug, and not through the adapters for APM agents. */
function isOnRoad(file: string): boolean {
  const path = relative(root, file).split(sep);
  if (path[0] === 'build') return !path.includes('node_modules');
  return path[0] === 'node_modules' && !path.includes('debug');
}

/** Adds a call at the start of each function that has a body in braces. */
function instrument(content: string, file: string): string {
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const at = relative(root, file).replace(/^(build|node_modules)\//, '');
  const inserted: Array<[position: number, text: string]> = [];
  visit(source);
  return inserted.reduceRight(
    (text, [position, call]) => text.slice(0, position) + call + text.slice(position),
    content,
  );

  function visit(node: ts.Node): void {
    if (ts.isFunctionLike(node) && 'body' in node && node.body && ts.isBlock(node.body as ts.Node)) {
      const name = node.name?.getText() ?? '(anonymous)';
      inserted.push([
        (node.body as ts.Block).getStart() + 1,
        `__step(${JSON.stringify([at, name]).slice(1, -1)});`,
      ]);
    }
    ts.forEachChild(node, visit);
  }
}

interface Framework {
  (): {
    use(handler: unknown): void;
    get(path: string, handler: (req: { params: unknown }, res: { json(body: unknown): void }) => void): void;
    listen(port: number): http.Server;
  };
  static(folder: string): unknown;
}

/** Requests `target` from an application until it is warm, and returns the calls of the last request. */
async function stepsOf(framework: Framework, target: string): Promise<readonly Step[]> {
  const app = framework();
  app.get('/users/:id', (req, res) => res.json(req.params));
  app.use(framework.static(root));
  const server = app.listen(0);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (let i = 0; i <= WARM_UP; i++) {
      steps = [];
      await get((server.address() as AddressInfo).port, target, agent);
      // Some listeners run after the client has received the response.
      for (let turn = 0; turn < TURNS; turn++) await setImmediate();
    }
    return steps;
  } finally {
    agent.destroy();
    server.close();
  }
}

function get(port: number, path: string, agent: http.Agent): Promise<void> {
  return new Promise((done, fail) => {
    http.get({ port, path, agent }, (res) => void res.resume().on('end', done)).on('error', fail);
  });
}

/** Joins the calls in a row that are in one file: the file, and the names of the functions. */
function staysOf(calls: readonly Step[]): string[][] {
  const stays: string[][] = [];
  for (const [file, name] of calls) {
    const last = stays.at(-1);
    if (last?.[0] === file) last.push(name);
    else stays.push([file, name]);
  }
  return stays;
}
