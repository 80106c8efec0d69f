import {
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { type Migrated, migrate } from '../../parity/migrate/migrate';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { convertRandomPaths } from '../../scripts/migrate/paths';
import { type Ended, runParity } from '../support/command';

const HEAD = "const express = require('express');\nconst app = express();\n";

async function migrateText(text: string, name = 'app.js'): Promise<Migrated> {
  const [migrated] = await migrate([{ name, text }]);
  if (!migrated) throw new Error('one file in, one file out');
  return migrated;
}

/** @returns Lines of a file after the migration, without its head. */
async function migrateLines(lines: string, head = HEAD): Promise<string> {
  const { after } = await migrateText(head + lines);
  return after.slice(after.startsWith(head) ? head.length : 0);
}

/**
 * Code of Express 4 with the result of `nozomi-parity migrate`, and code that it does not convert, with the reason in its
 * comment.
 */
const FORMS: Readonly<{
  converted: ReadonlyArray<Record<'name' | 'before' | 'after', string>>;
  refused: ReadonlyArray<Record<'name' | 'before' | 'why', string>>;
}> = parse(readFileSync(join(__dirname, 'migrate.yaml'), 'utf8'));

describe('nozomi-parity migrate', () => {
  for (const { name, before, after } of FORMS.converted)
    it(`converts ${name}`, async () => {
      // The head sets `query parser`, because otherwise `nozomi-parity migrate` adds a line that sets it.
      const head = `${HEAD}app.set('query parser', 'extended');\n`;

      expect(await migrateLines(`${before}\n`, head)).to.equal(`${after}\n`);
    });

  for (const { name, before, why } of FORMS.refused)
    it(`adds a comment above ${name}`, async () => {
      const { after, refused } = await migrateText(`${HEAD}${before}\n`);

      expect(refused.map(({ text }) => text).join()).to.match(new RegExp(why));
      expect(after).to.match(/^\/\/ nozomi-parity migrate: /m);
      expect((await migrateText(after)).after).to.equal(after);
    });

  it('adds a comment above a write to req.query if another file creates the application', async () => {
    const { refused } = await migrateText(
      "const router = require('express').Router();\nrouter.use((req) => { delete req.query.a; });\n",
    );

    expect(refused[0]?.text).to.include('computes req.query');
  });

  it('keeps nested queries for an application that new creates, also without parentheses', async () => {
    for (const made of ['new express', 'new express()']) {
      const { after } = await migrateText(
        `const express = require('express');\nconst app = ${made};\napp.get('/', (req) => req.query.a);\n`,
      );

      expect(after).to.include("const app = new express().set('query parser', 'extended');");
    }
  });

  for (const name of ['xss-clean', 'express-mongo-sanitize', 'express-validator', 'express-paginate'])
    it(`makes req.query writable for ${name}, which assigns it`, async () => {
      const use = `const clean = require('${name}');\n`;
      const { after } = await migrateText(`${HEAD}${use}app.use(clean());\n`);
      const { refused } = await migrateText(`${use}module.exports = clean();\n`);

      expect(after).to.include("express().use((req, _res, next) => { Object.defineProperty(req, 'query', ");
      expect(refused[0]?.text).to.equal(`${name} assigns req.query, which has no setter in Express 5`);
    });

  it('finds the old paths in the examples of Express itself, which load it by a relative path', async () => {
    const { after, refused } = await migrateText(`var express = require('../..');
var app = module.exports = express();
app.resource = function (path, obj) {
  this.get(path + '/:a..:b.:format?', function (req, res) { obj.range(req, res); });
};
app.get('/search/:query?', function (req, res) { res.send(req.params.query); });
app.all('/user/:id/:op?', load);
app.get('/files/:file(*)', function (req, res) { res.download(req.params.file, { root: '/' }); });
app.get('/forget', function (req, res) { res.redirect('back'); });
`);

    for (const one of ["'/search{/:query}'", "'/user/:id{/:op}'", '(?<file>', "get('Referrer')"])
      expect(after).to.include(one);
    expect(refused.map(({ line, text }) => [line, text.slice(0, 15)])).to.deep.equal([
      [4, 'a computed path'],
    ]);
  });

  it('recognises imports that compilers have converted to require()', async () => {
    const { after } = await migrateText(`var _express = _interopRequireDefault(require("express"));
var app = (0, _express.default)(), router = _express.default.Router();
app.get('/1/:a?', fn);
router.get('/2/:a?', fn);
`);

    expect(after.match(/\{\/:a\}/g)).to.have.length(2);
  });

  it('converts a star whose text a handler reads to a regular expression', async () => {
    expect(await migrateLines("app.get('/a/*', (req, res) => res.end(req.params[0]));\n")).to.include(
      'app.get(/^\\/a\\/(.*)\\/?$/i, ',
    );
  });

  it('adds a comment above a path that depends on unknown options of the router', async () => {
    const { refused } = await migrateText(
      `${HEAD}app.enable(process.env.STRICT && 'strict routing');\napp.get('/(a|b)', fn);\n`,
    );

    expect(refused[0]?.text).to.include('options of the router');
  });

  it('follows applications and routers through imports, types, members and parameters', async () => {
    const { after } = await migrateText(
      `import express, { Router, type Response } from 'express';
const routes: Router = Router();
routes.get('/1/:a?', fn);
class Server {
  app = express();
  private readonly api = new express.Router();
  mount() { this.app.get('/2/:a?', fn); this.api.use('/3/:a?', fn); }
}
export function setup(app: express.Application) { app.get('/4/:a?', fn); }
const later = (out: Response) => out.json(400, {});
`,
      'app.ts',
    );

    expect(after.match(/\{\/:a\}/g)).to.have.length(4);
    expect(after).to.include('out.status(400).json({})');
  });

  it('follows a variable that many statements assign, as a chain of queries is', async () => {
    const assigned = (code: string): string =>
      `let chain = ${code};\n${'chain = chain.filter(fn).sort(fn);\n'.repeat(20)}`;
    const get = "chain.get('/a/:id?', () => 1);";

    expect(await migrateLines(assigned('db.posts') + get)).to.equal(assigned('db.posts') + get);
    expect(await migrateLines(assigned('app') + get)).to.equal(
      assigned('app') + get.replace('/:id?', '{/:id}'),
    );
  });

  it('does not change calls on objects of other libraries', async () => {
    const text = `const client = require('./client');
const koa = require('koa');
const nock = require('nock');
const api = nock('http://api.test');
client.get('/:a?', { query: 1 });
api.get('/users/*', done);
nock('http://api.test').get('/users/:id?', done);
http.createServer((req, res) => { req.host; res.send(200, 'x'); });
cache.del('/a');
`;

    expect((await migrateText(text)).after).to.equal(text);
  });

  it('adds code that keeps the defaults of Express 4 which the application needs', async () => {
    const { after } = await migrateText(`const express = require('express')
const app = express()
app.use(express.json())
app.use(express.urlencoded({ extended: false }))
app.post('/', (req, res) => res.json([req.query, req.body.a]))
`);

    expect(after).to.equal(`const express = require('express')
const app = express().set('query parser', 'extended')
app.use(express.json())
app.use(express.urlencoded({ extended: false }), (req, _res, next) => { req.body ??= {}; next(); })
app.post('/', (req, res) => res.json([req.query, req.body.a]))
`);
  });

  it('adds a line that makes req.query writable if one of the files creates the application', async () => {
    const { after } = await migrateText(`const express = require('express');
module.exports = express().set('query parser', 'simple');
module.exports.use((req, res, next) => { delete req.query.page; req.query.size ||= 1; next(); });
`);

    expect(after).to.include(
      "express().use((req, _res, next) => { Object.defineProperty(req, 'query', { value: req.query, ",
    );
    expect(after).to.include('{ delete req.query.page; req.query.size ||= 1; next(); }');
  });

  it('converts a write to req.query to Object.defineProperty if another file creates the application', async () => {
    const { after } = await migrateText(`const { Router } = require('express');
module.exports = Router().use((req, res, next) => { req.query.page = 1; next(); });
`);

    expect(after).to.include("Object.defineProperty(req, 'query', { value: { ...req.query, page: 1 }, ");
  });

  it('adds the default body that a converted req.param() needs', async () => {
    const { after } = await migrateText(
      `${HEAD}app.use(express.json());\napp.get('/', (req) => req.param('a'));\n`,
    );

    expect(after).to.include('app.use(express.json(), (req, _res, next) => { req.body ??= {}; next(); });\n');
  });

  it('changes nothing in a migrated file', async () => {
    const { after } = await migrateText(
      HEAD + FORMS.converted.map(({ before }) => `{ ${before} }\n`).join(''),
    );

    expect((await migrateText(after)).after).to.equal(after);
  });

  it('converts random paths to paths that match the same in Express 5, or adds a comment', () => {
    const { wrong, fewest, results } = convertRandomPaths(300, 7);

    expect(wrong).to.deep.equal([]);
    expect(fewest).to.be.at.least(50);
    expect(results.get('string')).to.be.greaterThan(10);
    expect(results.get('regexp')).to.be.greaterThan(50);
  }).timeout(60_000);
});

const PROGRAM = `const express = require('express');
const app = express();
app.get('/user/:id?', (req, res) => res.send(200, { id: req.param('id'), query: req.query }));
app.get('/file/*', (req, res) => res.json(req.params));
app.get('/back', (req, res) => res.redirect('back'));
app.listen(3000);
`;

describe('the command nozomi-parity migrate', () => {
  let folder: string;

  beforeEach(() => {
    folder = temporaryFolder('migrate-spec');
    mkdirSync(join(folder, 'node_modules'));
    const express = dirname(require.resolve('express4/package.json'));
    symlinkSync(express, join(folder, 'node_modules', 'express'), 'junction');
    writeFileSync(join(folder, 'package.json'), '{}');
    writeFileSync(join(folder, 'app.js'), PROGRAM);
    writeFileSync(
      join(folder, 'requests.http'),
      'GET /user/12?a[b]=1\n\nGET /user\n\nGET /file/a/b\n\nGET /back\n\nGET /none\n',
    );
  });

  afterEach(() => removeFolder(folder));

  const run = (...args: string[]): Promise<Ended> => runMigrate(folder, ...args);

  it('with --dry-run prints a diff and writes nothing', async () => {
    const { code, output } = await run('app.js', '--dry-run');

    expect(output).to.include("-app.get('/user/:id?', ").and.to.include("+app.get('/user{/:id}', ");
    expect(readFileSync(join(folder, 'app.js'), 'utf8')).to.equal(PROGRAM);
    expect(code).to.equal(0);
  });

  it('writes files, also those of folders, and prints each change with its line', async () => {
    cpSync(join(folder, 'app.js'), join(folder, 'src', 'deep', 'app.cjs'));
    const { code, errors } = await run('src');

    expect(readFileSync(join(folder, 'src', 'deep', 'app.cjs'), 'utf8')).to.include("'/user{/:id}'");
    expect(errors).to.match(/app\.cjs:3: "\/user\/:id\?" → '\/user\{\/:id\}': equal on \d+ targets/);
    expect(code).to.equal(0);
  });

  it('with --check does not write to the original file behind a link', async () => {
    const file = join(folder, 'app.js');
    symlinkSync('app.js', join(folder, 'link.js'));
    utimesSync(file, 1, 1);
    const { output } = await run('link.js', '--check', 'app.js', '--requests', 'requests.http');

    expect(output).to.include('6 passed');
    expect(statSync(file).mtimeMs).to.equal(1000);
  });

  it('with --check plays requests before and after, and reports equal responses', async () => {
    const { code, output } = await run('app.js', '--check', 'app.js', '--requests', 'requests.http');

    expect(output).to.match(/0 failed/);
    expect(code).to.equal(0);
    expect(readFileSync(join(folder, 'app.js'), 'utf8')).to.equal(PROGRAM);
  });

  it('with --check reports remaining differences', async () => {
    writeFileSync(
      join(folder, 'app.js'),
      PROGRAM.replace('app.listen', "app.get('/host', (_req, res) => res.type('js').end());\napp.listen"),
    );
    writeFileSync(join(folder, 'requests.http'), 'GET /host\n');
    const { code, output } = await run('app.js', '--check', 'app.js', '--requests', 'requests.http');

    expect(output).to.include('text/javascript');
    expect(code).to.equal(1);
  });

  it('with --check plays the requests of a HAR to one origin', async () => {
    const saved = ['http://cdn.test/x.css', 'http://shop.test/user/12', 'http://shop.test/back'].map(
      (url) => ({
        request: { method: 'GET', url, headers: [] },
        response: { status: url.endsWith('back') ? 302 : 200 },
      }),
    );
    writeFileSync(join(folder, 'traffic.har'), JSON.stringify({ log: { entries: saved } }));
    const given = ['app.js', '--check', 'app.js', '--har', 'traffic.har', '--origin', 'http://shop.test'];
    const { code, output } = await run(...given, '--start', '30000', '--allow-left-out');

    expect(output).to.match(/\ntraffic\.har: 1 entry left out: other origin\n[\s\S]*\n3 passed, 0 failed\n$/);
    expect(code).to.equal(0);
    expect(readFileSync(join(folder, 'app.js'), 'utf8')).to.equal(PROGRAM);
  });

  it('reports a file that it cannot parse, migrates the others with fewer assumptions, and exits with 2', async () => {
    writeFileSync(join(folder, 'app.js'), `${HEAD}app.get('/files/*', fn);\n`);
    const broken = "app.get('/', (req) => req.params[0]";
    writeFileSync(join(folder, 'broken.js'), broken);
    const { code, errors } = await run('broken.js', 'app.js');

    expect(errors)
      .to.match(/^broken\.js: not migrated, it cannot be parsed: Unexpected token/)
      .and.match(/\n2 files: \d+ changes, 0 places to decide, 1 not parsed; /);
    expect(readFileSync(join(folder, 'broken.js'), 'utf8')).to.equal(broken);
    expect(readFileSync(join(folder, 'app.js'), 'utf8')).to.include('app.get(/^\\/files\\/(.*)\\/?$/i, fn);');
    expect(code).to.equal(2);
  });

  const encodings: Readonly<Record<string, Buffer>> = {
    'Latin-1': Buffer.from(`${HEAD}app.get('/a/:b?', (q, s) => s.send('caf\xe9'));\n`, 'latin1'),
    'UTF-16': Buffer.from(`\uFEFF${HEAD}app.get('/a/:b?', fn);\n`, 'utf16le'),
    'UTF-8 with a lone surrogate': Buffer.concat([
      Buffer.from(`${HEAD}app.get('/a/:b?', fn); // `),
      Buffer.from([0xed, 0xa0, 0x80]),
    ]),
  };
  for (const [encoding, bytes] of Object.entries(encodings))
    it(`does not change a file in ${encoding}, names it, and exits with 2`, async () => {
      writeFileSync(join(folder, 'old.js'), bytes);
      const { code, errors } = await run(
        'old.js',
        'app.js',
        '--check',
        'app.js',
        '--requests',
        'requests.http',
      );
      const written = await run('old.js');

      expect([code, written.code]).to.deep.equal([2, 2]);
      for (const text of [errors, written.errors])
        expect(text).to.match(/^old\.js: not migrated, it is not UTF-8: convert it first$/m);
      expect(readFileSync(join(folder, 'old.js')).equals(bytes)).to.equal(true);
    });

  for (const head of ['\uFEFF', '#!/usr/bin/env node\r\n'])
    it(`keeps ${JSON.stringify(head)} at the start of a file, and its line breaks`, async () => {
      const first = "const express = require('express'), app = express(); app.get(config.path, fn);";
      const lines = ["require('express-async-errors');", "app.get('/a/:b?', fn);", ''];
      writeFileSync(join(folder, 'app.js'), head + [first, ...lines].join('\r\n'));
      await run('app.js');
      const text = readFileSync(join(folder, 'app.js'), 'utf8');

      expect(text.startsWith(head)).to.equal(true);
      const [comment, ...rest] = text.slice(head.length).split('\r\n');
      expect(comment).to.match(/^\/\/ nozomi-parity migrate: a path from elsewhere[^\n]*$/);
      expect(rest).to.deep.equal([first, "app.get('/a{/:b}', fn);", '']);
    });

  it('names the folders in a static folder that Express 5 does not serve', async () => {
    mkdirSync(join(folder, 'public', '.well-known'), { recursive: true });
    writeFileSync(join(folder, 'app.js'), `${HEAD}app.use(express.static(__dirname + '/public'));\n`);
    const { code, errors } = await run('app.js');

    expect(errors).to.include('to decide: Express 5 does not serve the files in .well-known: mount it first');
    expect(code).to.equal(1);
  });

  it('says which part of the calls on applications and routers it has understood', async () => {
    const known = "app.use(fn);\napp.get('/a', fn);\napp.route('/b').get(fn);\napp.set('c', 1);\n";
    const same = "this.api.get('/c', handlers.show);\n";
    const unknown = "app.get(config.path, fn);\napp.ws('/d/:e?', fn);\n";
    writeFileSync(join(folder, 'app.js'), HEAD + known + same + unknown);
    const { errors } = await run('app.js', '--dry-run');

    expect(errors).to.include('; 5 of 7 calls on applications and routers understood (71 %); ');
    expect(errors).to.match(/to decide: 2 places, each with a comment; 2 calls not understood\n$/);
  });

  for (const [what, lines] of Object.entries({
    'a part of a path that no file shows': "app.get(config.base + '/a', fn);",
    'an element of a list that no file shows': "app.get(['/a', config.path], fn);",
    'a prefix that no file shows': 'app.use(config.prefix, shop);',
    'a table of another file':
      "const same = { path: '/b' };\nfor (const one of require('./t')) app.get(one.path, fn);",
    'a function with the path as a parameter': "const add = (path) => app.get(path, fn);\nadd('/a');",
  }))
    it(`has something left to decide because of ${what}`, async () => {
      writeFileSync(join(folder, 'app.js'), `${HEAD}${lines}\n`);
      const { code, errors } = await run('app.js', '--dry-run');

      expect(errors).to.match(/ 0 places to decide; [\s\S]*\nto decide: 1 call not understood\n$/);
      expect(code).to.equal(1);
    });

  for (const loop of [
    'for (const one of routes) app.get(one.path, one.show);',
    'for (const { path, show } of routes) app.get(path, show);',
    'routes.forEach(({ path, show }) => app.get(path, show));',
    'routes.map((one) => app.get(one.path, one.show));',
  ])
    it(`understands a table in the same file: ${loop}`, async () => {
      const routes = "const routes = [{ path: '/a', show }, { path: '/b/:c', show }];\n";
      const { unclear, refused } = await migrateText(`${HEAD}${routes}${loop}\n`);

      expect([...unclear, ...refused]).to.deep.equal([]);
    });

  it('says in its last line what it reached', async () => {
    const last = async (text: string, ...args: string[]): Promise<[string | undefined, number]> => {
      writeFileSync(join(folder, 'app.js'), text);
      const { code, errors } = await run('app.js', ...args);
      return [errors.trim().split('\n').at(-1), code];
    };
    const check = ['--check', 'app.js', '--requests', 'requests.http'];

    expect(await last('console.log(1);\n')).to.deep.equal([
      'nothing found: no file contains an application, a router or a handler of Express',
      1,
    ]);
    expect(await last(`${HEAD}app.get('/a', fn);\n`)).to.deep.equal(['nothing to rewrite', 0]);
    expect(await last(PROGRAM, '--dry-run')).to.deep.equal([
      'would rewrite, not proved: to prove it, use --check <file> and --requests <file> or --har <file>',
      0,
    ]);
    expect(await last(PROGRAM)).to.deep.equal([
      'rewritten, not proved: to prove it, restore the files and use --check <file> and --requests <file> or --har <file>',
      0,
    ]);
    expect(await last(PROGRAM, ...check)).to.deep.equal(['proved: the same responses to these requests', 0]);
    const undecided = PROGRAM.replace(
      'app.listen',
      'app.get(process.env.PATH_OF_ROUTE ?? config(), () => {});\napp.listen',
    );
    expect(await last(undecided.replace('config()', "'/none'"), '--dry-run')).to.deep.equal([
      'to decide: 1 place, each with a comment; 1 call not understood',
      1,
    ]);
  });

  it('exits with 1 if it left a place to decide, and with 2 for invalid files or arguments', async () => {
    writeFileSync(join(folder, 'app.js'), `${HEAD}app.get(x + '/(a|b)', fn);\n`);
    writeFileSync(join(folder, 'broken.js'), 'app.get(');

    expect((await run('app.js')).code).to.equal(1);
    expect(await run('broken.js')).to.deep.include({ code: 2, output: '' });
    expect((await run()).errors).to.equal('migrate: no file given: nozomi-parity migrate app.js routes/\n');
    expect((await run('app.js', '--har', 'a.har')).errors).to.equal(
      'migrate: --har requires --check <file>\n',
    );
  });
});

describe('nozomi-parity migrate and symbolic links', () => {
  const OLD = `${HEAD}app.get('/a/:b?', fn);\n`;
  let folder: string;
  let app: string;
  const read = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8');

  beforeEach(() => {
    folder = temporaryFolder('links');
    app = join(folder, 'app');
    for (const one of ['app/src', 'outside']) mkdirSync(join(folder, one), { recursive: true });
    for (const file of ['app/plain.js', 'app/src/own.js', 'outside/real.js'])
      writeFileSync(join(folder, file), OLD);
    symlinkSync(join('..', 'outside', 'real.js'), join(app, 'link.js'));
    symlinkSync(join('..', 'outside'), join(app, 'dir'), 'junction');
    symlinkSync('plain.js', join(app, 'same.js'));
  });

  for (const name of ['link.js', 'dir', join('dir', 'real.js')])
    it(`writes nothing if a link leads out of the folder: ${name}`, async () => {
      const { code, errors } = await runMigrate(app, 'plain.js', name);

      expect(errors).to.include(`${name} leads out of ${app} through a symbolic link; to migrate it, name `);
      expect([read('outside', 'real.js'), read('app', 'plain.js')]).to.deep.equal([OLD, OLD]);
      expect(code).to.equal(2);
    });

  it('skips links in a folder, and migrates the other files', async () => {
    const { code, errors } = await runMigrate(app, '.');

    expect(errors).to.include('link.js: skipped').and.to.include('dir: skipped');
    expect(read('outside', 'real.js')).to.equal(OLD);
    for (const file of ['plain.js', 'src/own.js']) expect(read('app', file)).to.include("'/a{/:b}'");
    expect(code).to.equal(0);
  });

  it('migrates a file inside the folder once, and keeps a link to it', async () => {
    const { errors } = await runMigrate(app, 'same.js', 'plain.js');

    expect(errors).to.include('1 files: 1 changes');
    expect(read('app', 'plain.js')).to.include("'/a{/:b}'");
    expect(lstatSync(join(app, 'same.js')).isSymbolicLink()).to.equal(true);
  });
});

function runMigrate(cwd: string, ...args: string[]): Promise<Ended> {
  return runParity(['migrate', ...args], { cwd });
}
