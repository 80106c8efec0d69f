import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { REPLACED, traceApplication } from '../support/traced';

// Wrappers for functions that APM agents wrap, in the files of `express/lib` and `router`. They record the calls.
const HOOKS = `{
  'express/lib/express.js': ({ application, response }) => {
    wrap(application, 'handle', (app, req) => seen.push('handle ' + req.method + ' ' + req.url));
    wrap(response, 'json', (res, body) => seen.push('json ' + JSON.stringify(body)));
  },
  'express/lib/request.js': (request) => {
    seen.push('query ' + ('query' in request));
  },
  'express/lib/response.js': (response) => {
    wrap(response, 'render', (res, name) => seen.push('render ' + name));
  },
  'router/lib/layer.js': ({ prototype }) => {
    const tell = ({ handle: { name, length } }) => seen.push('layer ' + name + '/' + length);
    wrap(prototype, 'handleRequest', tell);
    wrap(prototype, 'handleError', tell);
  },
  'router/index.js': (Router) => {
    const { prototype } = Router;
    for (const name of ['use', 'route', 'param']) {
      seen.push(name + '/' + prototype[name].length + ' ' + prototype[name].name);
      wrap(prototype, name, (router, path) => seen.push(name + ' ' + (path.name || path)));
    }
    const Wrapped = function (...args) { seen.push('new router'); return Router.apply(this, args); };
    return Object.assign(Wrapped, Router, { prototype });
  },
}`;

// Records the source of a router's function and of the functions of routes, which APM agents compare.
const SOURCES =
  'seen.push(String(inner), ...app.router.stack.filter(({ route }) => route).map(({ handle }) => String(handle)));';

describe('APM agents for Express', () => {
  it('replace the constructor of layers, which Nozomi then uses as Express does', () => {
    const hooks =
      "{ 'router/lib/layer.js': (Layer) => replaced(Layer, (path) => seen.push('layer ' + path)) }";
    const [ours, theirs] = ['nozomi', 'express'].map((framework) =>
      traceApplication(framework, hooks, REPLACED),
    );

    expect(ours).to.deep.equal(theirs);
    expect(theirs).to.include('layer /user/:id');
  });

  proves('F-4.1-01 F-4.3-01');
  it('trace the application through the files of express and router that they find', () => {
    const [ours, theirs] = [
      traceApplication('nozomi', HOOKS, SOURCES),
      traceApplication('express', HOOKS, SOURCES),
    ];

    expect(theirs).to.include.members(['router 2.3.0 lib/layer.js', 'layer user/2', 'route /user/:id']);
    expect(sorted(ours)).to.deep.equal(sorted(theirs));
    expect(ours.slice(-20)).to.deep.equal(theirs.slice(-20));
  });
});

// An application that requires modules of Express by path, and has a router, a parameter callback and a view.
const REQUEST = `
const [package] = process.argv.slice(1);
const express = require(package);
const inside = ['application', 'express', 'request', 'response', 'utils', 'view'].map((name) => require(package + '/lib/' + name));
if (inside[0] !== express.application || inside[1] !== express || inside[3] !== express.response) throw new Error('another lib/');
const app = express();
const inner = express.Router();
app.set('view', class { path = 'x'; render({ id }, done) { done(null, 'page ' + id); } });
app.use('/inner', inner);
inner.param('id', (req, res, next, id) => { req.params.id = 'number ' + id; next(); });
inner.get('/:id', (req, res) => res.render('page.txt', req.params));
const server = app.listen(0, '127.0.0.1', async () => {
  const answer = await fetch('http://127.0.0.1:' + server.address().port + '/inner/7');
  console.log(answer.status, await answer.text());
  server.close();
  server.closeAllConnections();
});
`;

describe('dist/node_modules, the adapters for APM agents', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder('adapters');
    const root = dirname(require.resolve('nozomi/package.json'));
    for (const part of ['dist', 'lib', 'package.json'])
      cpSync(join(root, part), join(folder, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  });
  afterEach(() => removeFolder(folder));

  const run = () => spawnSync(process.execPath, ['-e', REQUEST, folder], { encoding: 'utf8' });

  it('an application works the same if the directory is missing', () => {
    const whole = run();
    rmSync(join(folder, 'dist', 'node_modules'), { recursive: true });
    const lost = run();

    expect(whole.stdout).to.equal('200 page number 7\n');
    expect({ stdout: lost.stdout, stderr: lost.stderr }).to.deep.equal({ stdout: whole.stdout, stderr: '' });
  });

  it('an application throws at start if a dependency of an adapter is missing', () => {
    rmSync(join(folder, 'dist', 'node_modules', 'router', 'lib'), { recursive: true });

    expect(run().stderr).to.include("Cannot find module './lib/layer.js'");
  });
});

function sorted(lines: readonly string[]): string[] {
  return [...lines].sort();
}
