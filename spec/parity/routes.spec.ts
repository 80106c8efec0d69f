import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Match, TreeNode } from '../../parity/inspect/model';
import { COMMAND, ROOT } from '../support/command';

const TREE = 'spec/parity/applications/tree.js';

interface Output {
  readonly application: string;
  readonly roots: ReadonlyArray<TreeNode & { readonly series: string }>;
  readonly match?: Match;
}

interface Result {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `nozomi-parity routes` in the root of the repository. */
function run(...args: string[]): Result {
  return runWith({}, args);
}

function runWith(env: NodeJS.ProcessEnv, args: readonly string[]): Result {
  return spawnSync(process.execPath, [COMMAND, 'routes', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
}

function json(...args: string[]): Output {
  return parse(run(...args, '--json'));
}

/** @returns The output of `nozomi-parity routes` for the application tree.js with Express 4. */
function json4(...args: string[]): Output {
  return parse(runWith({ EXPRESS: '4' }, [TREE, ...args, '--json']));
}

function parse({ status, stdout, stderr }: Result): Output {
  expect(status, stderr).to.equal(0);
  return JSON.parse(stdout) as Output;
}

/** @returns A line for each node that is not built in, with kind, methods and full paths; nested nodes are indented. */
function outline(nodes: readonly TreeNode[], indent = ''): string[] {
  return nodes.flatMap(({ kind, methods, fullPaths, children, isBuiltIn }) =>
    isBuiltIn
      ? []
      : [`${indent}${[kind, ...methods, ...fullPaths].join(' ')}`, ...outline(children, `${indent}  `)],
  );
}

const OUTLINE = [
  'middleware /',
  'route GET /',
  'route GET POST /users/:id',
  'router /api',
  '  route GET /api/books /api/shelves/:shelf',
  '  route GET /api /^\\/isbn\\/(\\d+)$/',
  'application /admin',
];

/** @returns The layers for a request: `+ name` for each that runs, and `- name: why` for the others. */
function steps({ roots, match }: Output): string[] {
  const names = new Map<number, string>();
  const visit = (node: TreeNode): void => {
    names.set(node.id, node.kind === 'route' ? node.fullPaths.join() : node.name || node.kind);
    for (const { id, name } of node.handlers) names.set(id, name);
    node.children.forEach(visit);
  };
  roots.forEach(visit);
  return (match?.steps ?? []).map(({ id, isCalled, why }) =>
    [`${isCalled ? '+' : '-'} ${names.get(id)}`, ...(why === undefined ? [] : [why])].join(': '),
  );
}

describe('nozomi-parity routes', () => {
  it('ends although a process of the application keeps the pipes open', () => {
    const started = performance.now();
    const { roots } = json('spec/parity/applications/holding.js');

    expect(roots).to.have.length(1);
    // The process of the application ends after a minute.
    expect(performance.now() - started).to.be.lessThan(30_000);
  });

  it('prints the layers in order, with full paths, methods, parameters, handlers, file and line', () => {
    const { application, roots } = json(TREE);
    const [root] = roots;

    expect(application).to.equal(TREE);
    expect(roots.map(({ series }) => series)).to.deep.equal(['5.x']);
    expect(outline(root?.children ?? [])).to.deep.equal([
      ...OUTLINE,
      '  route * /admin/*path',
      'error handler /',
    ]);
    const users = root?.children[2];
    expect(users?.params).to.deep.equal(['id']);
    expect(users?.site).to.deep.equal({ file: TREE, line: 14 });
    expect(users?.handlers.map(({ name, method, site }) => [name, method, site?.line])).to.deep.equal([
      ['showUser', 'GET', 15],
      ['checkUser', 'POST', 18],
      ['saveUser', 'POST', 18],
    ]);
    expect(root?.paramCallbacks).to.deep.equal(['id']);
    expect(root?.children[3]?.children[1]?.params).to.deep.equal(['0']);
  });

  it('names handlers by their expression in the call that registered them', () => {
    const { stdout } = run('spec/parity/applications/expressions.js');
    const handlers = stdout.split('\n').map((line) => line.split(/ {2,}/)[1]);

    expect(handlers.filter((one) => one !== undefined && !one.startsWith('(Express'))).to.deep.equal([
      'express.json()',
      "auth('guest', {…})",
      "auth('admin'), auth('member', () => …), user.getLogin",
      'user.list, user.list',
      'user.getLogin, auth(), <anonymous>',
      '<anonymous>',
    ]);
  });

  it('reads an application of Express 4 with the router of Express 4', () => {
    const { roots } = json4();
    const [root] = roots;

    expect(root?.series).to.equal('4.x');
    expect(outline(root?.children ?? [])).to.deep.equal([
      ...OUTLINE,
      '  route * /admin *',
      'error handler /',
    ]);
    const builtIn = root?.children.filter(({ isBuiltIn }) => isBuiltIn) ?? [];
    expect(builtIn.map(({ name, expression }) => [name, expression])).to.deep.equal([
      ['query', undefined],
      ['expressInit', undefined],
    ]);
  });

  it('reads an application that is mounted before its routes are added', () => {
    const [root] = json('spec/parity/applications/mounted-first.js').roots;

    expect(outline(root?.children ?? [])).to.deep.equal([
      'application /first',
      '  router /first',
      '    middleware /first',
      '    route GET /first',
      'application /second',
      '  route GET /second',
    ]);
  });

  it('reads ES modules, TypeScript and applications that register late', () => {
    const files = ['module.mjs', 'typed.ts', 'late.js'];

    const outlines = files.map((file) =>
      outline(json(join('spec', 'parity', 'applications', file)).roots[0]?.children ?? []),
    );

    expect(outlines).to.deep.equal([
      ['router /', '  route GET /', '  route GET /back'],
      ['route GET /'],
      ['route GET /'],
    ]);
  });

  it('prints the handlers that run for a request in order, and why the others do not run', () => {
    const output = json(TREE, '--match', 'POST /users/42');

    expect(steps(output)).to.deep.equal([
      '+ jsonParser',
      '- /: / does not match /users/42',
      '+ /users/:id',
      '- showUser: it takes GET',
      '+ checkUser',
      '+ saveUser: ends here: it declares no next',
      '- router: /api does not match /users/42',
      '- mounted_app: /admin does not match /users/42',
      '- handleError: it is called with errors only',
    ]);
    expect(output.match?.steps[4]).to.deep.include({ params: { id: '42' } });
  });

  it('prints which responses the router itself sends: 404, 400, and OPTIONS without a handler', () => {
    const ends = ['/nothing', '/users/%zz', 'OPTIONS /api/books'].map((match) => {
      const output = json(TREE, '--match', match);
      return [output.match?.end, steps(output)[2]];
    });

    expect(ends).to.deep.equal([
      ['if every handler calls next(): 404', '- /users/:id: /users/:id does not match /nothing'],
      [
        "the router calls error handlers: Failed to decode param '%zz'",
        "- /users/:id: Failed to decode param '%zz': 400",
      ],
      [
        'the router responds to OPTIONS: Allow: GET, HEAD',
        '- /users/:id: /users/:id does not match /api/books',
      ],
    ]);
  });

  it('uses the router of Express 4 if a pattern means something else in Express 5', () => {
    const output = json4('--match', '/admin/deep/er');

    expect(steps(output).slice(-6)).to.deep.equal([
      '+ mounted_app',
      '+ query',
      '+ expressInit',
      '+ /admin *',
      '+ denyAdmin: ends here: it declares no next',
      '- handleError: it is called with errors only',
    ]);
  });

  it('includes routes that callbacks, timers and turns of the event loop add', () => {
    const { roots } = json('spec/parity/applications/later.js');

    expect(outline(roots[0]?.children ?? [])).to.deep.equal([
      'route GET /first',
      'router /',
      '  route GET /Strict/',
      'route GET /in-callback',
      'route GET /after-turns',
      'route GET /after-timer',
      'route GET /after-file',
    ]);
  });

  it('shows routers that are not mounted, and none that is', () => {
    const { stdout } = run('spec/parity/applications/later.js');

    expect(stdout.split('\n\n').slice(1)).to.deep.equal([
      'a router, which is not mounted  (Express 5.x)\nGET /lost/:id  <anonymous>  spec/parity/applications/later.js:7\n',
    ]);
  });

  for (const [path, why] of [
    [
      '/Strict',
      '/Strict/ does not match /Strict, but /Strict/: the router is strict about the slash at the end',
    ],
    ['/strict/', '/Strict/ does not match /strict/ in these letters: the router is case-sensitive'],
    ['//Strict/', '/Strict/ does not match //Strict/, but /Strict/, with single slashes'],
    ['/other', '/Strict/ does not match /other'],
  ])
    it(`says which similar path a route matches: ${path}`, () => {
      const { stdout } = run('spec/parity/applications/later.js', '--match', `GET ${path}`);

      expect(stdout.split('\n').find((line) => line.includes('/Strict/ does not'))).to.match(
        new RegExp(`  ${why}$`),
      );
    });

  it('prints a table', () => {
    const { stdout } = run(TREE, '--match', '/');

    expect(stdout).to.match(/^spec\/parity\/applications\/tree\.js {2}\(Express 5\.x\)\n/);
    expect(stdout).to.match(/^✓ GET \/ +home +spec\/parity\/applications\/tree\.js:10 +ends here/m);
  });

  it('prints an error for wrong arguments, and for an application that does not start', () => {
    const cases: ReadonlyArray<readonly [args: string[], message: RegExp]> = [
      [[], /^routes: no application given: nozomi-parity routes app\.js\n$/],
      [['a.js', 'b.js'], /^routes: expected one application, got a\.js b\.js\n$/],
      [['nowhere.js'], /^routes: no such file: nowhere\.js\n$/],
      [[TREE, '--match', 'users'], /^routes: --match: expected a method and a path, .*got "users"\n$/],
      [
        ['spec/parity/applications/express3.js'],
        /does not start: expected an application of Express 4 or 5 or of Nozomi, got one of version 3\.21\.2 in /,
      ],
      [
        ['spec/parity/applications/failing.js'],
        /^routes: spec\/parity\/applications\/failing\.js does not start: no database\n[\s\S]*failing\.js:1:7/,
      ],
    ];

    for (const [args, message] of cases) {
      const { status, stderr } = run(...args);
      expect(stderr).to.match(message);
      expect(status).to.equal(2);
    }
  });
});
