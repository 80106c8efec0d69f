import { spawnSync } from 'node:child_process';
import { expect } from 'chai';

// APM agents wrap the result of `require` by package, version and file, before the application receives it.
const PROGRAM = `
const Module = require('node:module');
const seen = [];
const wrap = (object, name, see) => {
  const original = object[name];
  object[name] = function (...args) { see(this, ...args); return original.apply(this, args); };
};
const hooks = {
  'lib/express.js': ({ application, response, Router }) => {
    wrap(application, 'handle', (app, req) => seen.push('handle ' + req.method + ' ' + req.url));
    wrap(application, 'use', (app, first) => seen.push('app.use ' + (first.name || first)));
    wrap(response, 'json', (res, body) => seen.push('json ' + JSON.stringify(body)));
    wrap(Router, 'use', (router, first) => seen.push('use ' + (first.name || first)));
    wrap(Router, 'route', (router, path) => seen.push('route ' + path));
    wrap(Router, 'process_params', (router, layer) => seen.push('params of ' + layer.name));
  },
  'lib/router/layer.js': ({ prototype }) => {
    for (const name of ['handle_request', 'handle_error'])
      wrap(prototype, name, (layer) => seen.push(name + ' ' + layer.name + ' ' + layer.path + ' ' + layer.regexp));
  },
  'lib/response.js': (response) => wrap(response, 'render', (res, name) => seen.push('render ' + name)),
  'lib/middleware/query.js': (query) => { seen.push('query ' + typeof query); },
};
const load = Module.prototype.require;
const hooked = new Set();
Module.prototype.require = function (id) {
  const exported = load.call(this, id);
  const file = Module._resolveFilename(id, this).replaceAll('\\\\', '/');
  const [, packageRoot, path] = /^(.*\\/node_modules\\/express4?)\\/(.*)$/.exec(file) ?? [];
  if (!hooks[path] || hooked.has(file)) return exported;
  hooked.add(file);
  seen.push(load.call(module, packageRoot + '/package.json').version + ' ' + path);
  hooks[path](exported);
  return exported;
};
const express = require(process.argv[1]);
const app = express();
const inner = express.Router();
app.set('view', class { path = 'x'; render(options, done) { done(null, 'page'); } });
app.use(function first(req, res, next) { next(); });
app.param('id', (req, res, next) => next());
app.get('/user/:id', function user(req, res) { res.json(req.params); });
inner.get('/page', (req, res) => res.render('page.txt'));
app.use('/inner', inner);
app.get('/fails', () => { throw new Error('fails'); });
app.use(function failed(err, req, res, next) { res.status(500).end(); });
const server = app.listen(0, '127.0.0.1', async () => {
  for (const path of ['/user/7', '/inner/page', '/fails'])
    await fetch('http://127.0.0.1:' + server.address().port + path);
  server.close(() => console.log(seen.join('\\n')));
  server.closeAllConnections();
});
`;

function seenWith(name: string): string[] {
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', PROGRAM, require.resolve(name)], {
    encoding: 'utf8',
    cwd: __dirname,
  });
  expect(stderr).to.equal('');
  return stdout.trim().split('\n');
}

describe('APM agents and Express 4', () => {
  it('find the files of express 4.22.3, and trace an application [E4-C7]', () => {
    const [ours, theirs] = [seenWith('nozomi/4'), seenWith('express4')];
    const isLoaded = (line: string) => line.startsWith('4.22.3 ') || line.startsWith('query ');

    expect(ours.filter(isLoaded).sort()).to.deep.equal(theirs.filter(isLoaded).sort());
    expect(ours.filter((line) => !isLoaded(line))).to.deep.equal(theirs.filter((line) => !isLoaded(line)));
    expect(theirs).to.include('route /user/:id');
  });
});
