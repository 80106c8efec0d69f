import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { CODES } from '../../parity/inspect/findings/codes';
import { temporaryFolder } from '../../parity/temporary-folder';
import { COMMAND, ROOT } from '../support/command';
import { filesOf } from '../support/files';

const PLANTED = join('spec', 'parity', 'doctor');

interface Finding {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly why: string;
  readonly fix?: string | undefined;
  readonly file: string;
  readonly line: number;
}

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

function run(
  args: readonly string[],
  { env = {}, cwd = ROOT }: Options = {},
): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [COMMAND, 'doctor', ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production', ...env },
  });
}

/** @returns The findings of `nozomi-parity doctor`. Checks that the exit code is 1 if one is a warning. */
function findingsIn(file: string, options?: Options): Finding[] {
  const { status, stdout, stderr } = run([file, '--json'], options);
  expect(stderr).to.equal('');
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  expect(status).to.equal(findings.some(({ severity }) => severity === 'warning') ? 1 : 0);
  for (const { code } of findings) seen.add(code);
  return findings;
}

/** The codes that `nozomi-parity doctor` has found in this file's specs. */
const seen = new Set<string>();

/** @returns Each finding as `code line`, with its severity unless the severity is `warning`. */
function places(findings: readonly Finding[]): string[] {
  return findings.map(({ code, severity, line }) =>
    [code, line, ...(severity === 'warning' ? [] : [severity])].join(' '),
  );
}

/** Writes a program to a folder with the packages of this repository. @returns Its path. */
function programOf(lines: string): string {
  const folder = filesOf({
    'app.js': `const express = require('express');\nconst app = express();\n${lines}\napp.listen(0);\n`,
  });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return join(folder, 'app.js');
}

/** @returns The files of an installed package without code. */
function installed(name: string, version: string, dependencies = {}): Record<string, string> {
  return {
    [`${name}/package.json`]: JSON.stringify({
      name: name.replace(/.*node_modules\//, ''),
      version,
      dependencies,
    }),
    [`${name}/index.js`]: 'module.exports = {};\n',
  };
}

interface Mistake {
  readonly name: string;
  /** The codes that `nozomi-parity doctor` prints for the program. */
  readonly finds: string;
  /** A fix that it offers. The number of a line is that in a program by itself, which begins at line 3. */
  readonly fix?: string;
  readonly program: string;
  /** The same program without the mistake. */
  readonly sound?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Whether other programs in the same process would change what is found. */
  readonly isAlone?: boolean;
}

const MISTAKES: readonly Mistake[] = parse(readFileSync(join(__dirname, 'doctor', 'mistakes.yaml'), 'utf8'));
const DEVELOPMENT = { env: { NODE_ENV: 'development' } };

/**
 * Finds the mistakes of several programs in one process, where each is an application that is mounted on a path of its own.
 *
 * @returns The findings of each program, with lines as if it stood alone.
 */
function findingsInEach(programs: ReadonlyArray<{ text: string; files?: Mistake['files'] }>): Finding[][] {
  const parts = programs.map(({ text }, index) => [
    `main.use('/p${index}', (() => {`,
    'const app = express();',
    ...text.trimEnd().split('\n'),
    'return app;',
    '})());',
  ]);
  const lines = [
    "const express = require('express');",
    'const main = express();',
    ...parts.flat(),
    'main.listen(0);',
  ];
  const folder = filesOf({
    'app.js': `${lines.join('\n')}\n`,
    ...Object.assign({}, ...programs.map(({ files }) => files)),
  });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const all = findingsIn(join(folder, 'app.js'), DEVELOPMENT);
  let first = 3;
  return parts.map(({ length }) => {
    const [start, end] = [first, first + length];
    first = end;
    const alone = (line: number): number => line - start + 1;
    return all
      .filter(({ line }) => line >= start && line < end)
      .map((one) => ({
        ...one,
        line: alone(one.line),
        fix: one.fix?.replace(/\bline (\d+)/g, (_all, line) => `line ${alone(Number(line))}`),
      }));
  });
}

/** The same, without a mistake. */
const CLEAN = `app.use(express.json());
app.use((req, res, next) => { res.locals.start = Date.now(); next(); });
app.get('/:id', (req, res) => { if (req.params.id === '0') return res.status(404).send('none'); res.json(req.query.page); });
app.post('/', (req, res) => res.json(req.body.name));
const context = new (require('node:async_hooks').AsyncLocalStorage)();
app.use((req, _res, next) => context.run(new Map(), () => next()));
app.post('/upload', require('multer')().none(), (_req, res) => res.json(context.getStore()));
app.use((err, req, res, next) => res.status(500).send(err.message));`;

describe('nozomi-parity doctor', () => {
  for (const mistake of MISTAKES.filter(({ isAlone }) => isAlone)) {
    it(`finds one mistake alone: ${mistake.name}`, () =>
      expectFound(mistake, findingsIn(programOf(mistake.program), DEVELOPMENT)));

    if (mistake.sound !== undefined)
      it(`finds nothing without the mistake: ${mistake.name}`, () =>
        expect(findingsIn(programOf(mistake.sound ?? ''), DEVELOPMENT)).to.deep.equal([]));
  }

  function expectFound({ finds, fix }: Mistake, findings: readonly Finding[]): void {
    expect(findings.map(({ code }) => code).join(' ')).to.equal(finds);
    expect(findings[0]?.line).to.be.greaterThan(2);
    if (fix !== undefined) expect(findings.map((one) => one.fix)).to.include(fix);
  }

  it('finds nothing in a program without a mistake', () => {
    expect(findingsIn(programOf(CLEAN))).to.deep.equal([]);
  });

  it('finds shadowed routes, error handlers with three parameters, and middleware that is registered too late', () => {
    const findings = findingsIn(join(PLANTED, 'order.js'));

    expect(places(findings)).to.deep.equal([
      'NOZOMI_ROUTE_SHADOWED 11',
      'NOZOMI_ROUTE_SHADOWED 21',
      'NOZOMI_ROUTE_SHADOWED 28',
      'NOZOMI_ERROR_HANDLER_ARITY 33',
      'NOZOMI_BODY_BEFORE_PARSER 38',
      'NOZOMI_MIDDLEWARE_AFTER_ROUTES 47',
    ]);
    expect(findings[0]?.message).to.equal(
      `GET /users/me is never reached: GET /users/:id (${PLANTED}/order.js:8) takes every such request, and its handler ` +
        '<anonymous> declares no next',
    );
    expect(findings[1]?.message).to.match(/^GET of GET, POST \/books\/new is never reached/);
    expect(findings.map(({ file }) => file)).to.deep.equal(findings.map(() => `${PLANTED}/order.js`));
    expect(findings.every(({ why }) => why.length > 0)).to.equal(true);
    expect(findings[0]?.fix).to.equal('move line 11 before line 8');
  });

  it('finds guards after their routes, and middleware that affects no response', () => {
    const findings = findingsIn(join(PLANTED, 'late.js'));

    expect(findings.map(({ line, message, fix }) => [line, message, fix])).to.deep.equal([
      [
        16,
        'members comes after every route below /public: it refuses no request for them',
        'move line 16 before line 15',
      ],
      ...['corsMiddleware', 'compression', 'helmetMiddleware'].map((name, index) => [
        20 + index,
        `${name} comes after all routes: it has no effect on their responses`,
        `move line ${20 + index} before line 8`,
      ]),
    ]);
  });

  it('finds each router and application after a handler that ends every request, only once', () => {
    expect(places(findingsIn(join(PLANTED, 'behind-end.js')))).to.deep.equal([
      'NOZOMI_ROUTE_SHADOWED 11',
      'NOZOMI_ROUTE_SHADOWED 12',
    ]);
  });

  it('finds each path for which Express 5 throws, and continues', () => {
    const findings = findingsIn(join(PLANTED, 'paths.js'));

    expect(places(findings)).to.deep.equal([
      'NOZOMI_PATH_EXPRESS_4 5',
      'NOZOMI_PATH_EXPRESS_4 6',
      'NOZOMI_PATH_EXPRESS_4 7',
    ]);
    expect(findings.map(({ fix }) => fix)).to.deep.equal([
      "write '/files/{*splat}'",
      "write '/users{/:id}'",
      "write '/ab{cd}e'",
    ]);
  });

  it('finds trusted proxies of the public internet, and session cookies without secure', () => {
    expect(places(findingsIn(join(PLANTED, 'settings.js')))).to.deep.equal([
      'NOZOMI_TRUST_PROXY_PUBLIC 6 note',
      'NOZOMI_TRUST_PROXY_PUBLIC 6',
      'NOZOMI_SESSION_COOKIE_SECURE 7 note',
    ]);
    const secure = join(PLANTED, 'session-tls.js');
    expect(places(findingsIn(secure))).to.deep.equal(['NOZOMI_SESSION_COOKIE_SECURE 9']);
    // In development the finding is only a note.
    expect(places(findingsIn(secure, { env: { NODE_ENV: 'development' } }))).to.deep.equal([
      'NOZOMI_SESSION_COOKIE_SECURE 9 note',
    ]);
  });

  it('finds a guard that another spelling bypasses, and a dot folder that is not served', () => {
    const findings = findingsIn(join(PLANTED, 'files', 'served.js'));

    expect(places(findings)).to.deep.equal(['NOZOMI_GUARD_SPELLING 6', 'NOZOMI_DOT_FOLDER_HIDDEN 10']);
    expect(findings[0]?.message).to.contain(
      'the response to /admin/plan.txt is 403, but /%61dmin/plan.txt sends',
    );
  });

  for (const place of [join(temporaryFolder('doctor'), 's'), '::1'])
    it(`finds a guard that another spelling bypasses, on ${place.length > 3 ? 'a Unix socket' : place}`, () => {
      const findings = findingsIn(join(PLANTED, 'files', 'elsewhere.js'), { env: { PLACE: place } });

      expect(places(findings)).to.include('NOZOMI_GUARD_SPELLING 6');
    });

  it('finds mistakes in an application of Express 4, and notes paths for which Express 5 throws', () => {
    const root = filesOf({ '.git/config': '[core]\n', '.env': 'SECRET=1\n' });

    const findings = findingsIn(join(PLANTED, 'express4.js'), { env: { PLANTED_ROOT: root } });

    expect(places(findings)).to.deep.equal([
      'NOZOMI_PATH_EXPRESS_4 7 note',
      'NOZOMI_ROUTE_SHADOWED 11',
      'NOZOMI_PATH_EXPRESS_4 11 note',
      'NOZOMI_DOT_FOLDER_SENT 14',
    ]);
  });

  it('finds packages that only Express depends on, and more than one copy of Express', () => {
    const folder = filesOf({
      ...installed('node_modules/express', '5.3.0', { qs: '^6.0.0', vary: '^1.0.0' }),
      ...installed('node_modules/qs', '6.17.1'),
      ...installed('node_modules/vary', '1.1.2'),
      ...installed('node_modules/other', '1.0.0', { vary: '^1.0.0' }),
      ...installed('vendor/node_modules/express', '4.22.3'),
      'package.json': JSON.stringify({ dependencies: { express: '5', other: '1' } }),
      'vendor/legacy.js': "module.exports = require('express');\n",
      'app.js': [
        "const express = require('express');",
        "require('vary');",
        "require('qs');",
        "const legacy = require('./vendor/legacy');",
        "module.exports = express().use(legacy().get('/', (_req, res) => res.send('legacy')));",
      ].join('\n'),
    });

    const findings = findingsIn('app.js', { cwd: folder });

    expect(findings.map(({ code, severity, file, line }) => [code, severity, file, line])).to.deep.equal([
      ['NOZOMI_PACKAGE_UNDECLARED', 'warning', 'app.js', 3],
      ['NOZOMI_FRAMEWORK_COPIES', 'warning', 'vendor/legacy.js', 1],
    ]);
    expect(findings[0]?.fix).to.equal('npm install qs@6.17.1');
    expect(findings[1]?.message).to.match(
      /^2 copies of the framework are loaded: 5\.3\.0 in .*, 4\.22\.3 in /,
    );
  });

  it('notes a package of Express that a dependency loads, which depends on Express itself', () => {
    const folder = filesOf({
      ...installed('node_modules/express', '5.3.0', { router: '^2.0.0' }),
      ...installed('node_modules/router', '2.3.0'),
      ...installed('node_modules/parse', '9.0.0', { express: '^5.0.0' }),
      'node_modules/parse/index.js': "require('router');\nmodule.exports = require('express').Router();\n",
      'package.json': JSON.stringify({ dependencies: { express: '5', parse: '9' } }),
      'app.js': "module.exports = require('express')().use(require('parse'));\n",
    });

    const [finding] = findingsIn('app.js', { cwd: folder });

    expect([finding?.code, finding?.severity, finding?.line]).to.deep.equal([
      'NOZOMI_PACKAGE_UNDECLARED',
      'note',
      1,
    ]);
    // It cannot be tried on the dependency alone.
    expect(finding?.fix).to.equal('npm install router@2.3.0');
  });

  it('finds sendFile without a root below a dot folder', () => {
    const app = [
      "const express = require('express');",
      "const { join } = require('node:path');",
      'module.exports = express()',
      "  .get('/', (_req, res) => res.sendFile(join(__dirname, 'page.html')))",
      "  .get('/rooted', (_req, res) => res.sendFile('page.html', { root: __dirname }));",
    ].join('\n');
    const folder = filesOf({ ...installed('node_modules/express', '5.3.0'), '.app/app.js': app });

    const findings = findingsIn('.app/app.js', { cwd: folder });

    expect(places(findings)).to.deep.equal(['NOZOMI_SEND_FILE_DOT_FOLDER 4']);
  });

  it('finds nothing if a handler may continue, a path differs or a guard is effective', () => {
    const clean = [
      join(PLANTED, 'in-order.js'),
      join(PLANTED, 'files', 'guarded.js'),
      join(PLANTED, 'files', 'apart.js'),
      join('spec', 'parity', 'applications', 'tree.js'),
      join('examples', 'demo', 'index.ts'),
    ];

    for (const file of clean) expect(findingsIn(file), file).to.deep.equal([]);
    // The bookshop has a session cookie without secure on purpose, and a route that ends the process.
    expect(
      places(findingsIn(join('examples', 'bookshop', 'app.js'), { env: { NODE_ENV: 'development' } })),
    ).to.deep.equal(['NOZOMI_SESSION_COOKIE_SECURE 31 note', 'NOZOMI_THROW_IN_CALLBACK 138']);
  });

  it('prints findings as text, and as annotations of GitHub', () => {
    const [people, github] = ['terminal', 'github'].map((reporter) =>
      run([join(PLANTED, 'behind-end.js'), '--reporter', reporter]),
    );

    expect(people?.stdout).to.match(
      /^warning {2}NOZOMI_ROUTE_SHADOWED {2}spec\/parity\/doctor\/behind-end\.js:11\n {2}router on \/late is never reached: .*\n {2}why: .*\n/m,
    );
    expect(people?.stdout).to.match(/\n2 warnings, 0 notes\n$/);
    expect(github?.stdout).to.match(
      /^::warning file=spec\/parity\/doctor\/behind-end\.js,line=11,title=NOZOMI_ROUTE_SHADOWED::router on \/late is never reached: .*$/m,
    );
    expect([people?.status, github?.status]).to.deep.equal([1, 1]);
  });

  it('omits the codes of --ignore', () => {
    const { status, stdout } = run([join(PLANTED, 'behind-end.js'), '--ignore', 'NOZOMI_ROUTE_SHADOWED']);

    expect(stdout).to.match(/0 warnings, 0 notes/);
    expect(status).to.equal(0);
  });

  it('prints an error for wrong arguments, and for an application that does not start', () => {
    const cases: ReadonlyArray<readonly [args: string[], message: RegExp]> = [
      [[], /^doctor: no application given: nozomi-parity doctor app\.js\n$/],
      [
        ['app.js', '--reporter', 'pdf'],
        /^doctor: --reporter: expected one of terminal, json, github, got "pdf"\n$/,
      ],
      [
        ['app.js', '--ignore', 'E1'],
        /^doctor: --ignore: expected a code, got "E1"; --help lists the codes\n$/,
      ],
      [
        ['spec/parity/applications/failing.js'],
        /^doctor: spec\/parity\/applications\/failing\.js does not start: no database\n/,
      ],
    ];

    for (const [args, message] of cases) {
      const { status, stderr } = run(args);
      expect(stderr).to.match(message);
      expect(status).to.equal(2);
    }
  });

  it('has each of its codes in docs/routes-and-doctor.md, with the same text', () => {
    const page = readFileSync(join(ROOT, 'docs', 'routes-and-doctor.md'), 'utf8');

    for (const { code, finds, why, proof } of Object.values(CODES))
      expect(page).to.contain(`| \`${code}\` | ${finds} | ${why} | ${proof} |`);
  });

  describe('in several programs in one process', () => {
    const together = MISTAKES.filter(({ isAlone }) => !isAlone);
    const sound = together.filter((one) => one.sound);
    let found: Finding[][] = [];
    let foundInSound: Finding[][] = [];

    before(() => {
      found = findingsInEach(together.map(({ program: text, files = {} }) => ({ text, files })));
      foundInSound = findingsInEach(sound.map(({ sound: text = '', files = {} }) => ({ text, files })));
    });

    for (const [index, mistake] of together.entries())
      it(`finds one mistake alone: ${mistake.name}`, () => expectFound(mistake, found[index] ?? []));

    for (const [index, { name }] of sound.entries())
      it(`finds nothing without the mistake: ${name}`, () => expect(foundInSound[index]).to.deep.equal([]));

    // The last one, because the others collect the codes.
    it('finds each of its codes in one of the specs above', () => {
      expect([...seen].sort()).to.deep.equal(
        Object.values(CODES)
          .map(({ code }) => code)
          .sort(),
      );
    });
  });
});
