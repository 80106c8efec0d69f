/** Runs an application whose modules are wrapped as by an APM agent. */
import { spawnSync } from 'node:child_process';
import { expect } from 'chai';

/**
 * Wraps modules as APM agents do: by package, version and file, before the application loads them. Then the application
 * handles three requests, and the wrappers record calls.
 *
 * @param framework What the application requires.
 * @param hooks The source of an object with a function for each file, such as `express/lib/express.js`. The function
 *   receives the exports of the file, and may return others.
 * @param registered Source that runs after the registration of the routes.
 * @returns What the hooks recorded with `seen.push`, in order, with a line for each wrapped file and its version.
 */
export function traceApplication(framework: string, hooks: string, registered = ''): string[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['-e', programOf(hooks, registered), require.resolve(framework)],
    { encoding: 'utf8', cwd: __dirname },
  );
  expect(stderr).to.equal('');
  return stdout.trim().split('\n');
}

/**
 * Source that defines a function for hooks: `replaced(original, see)` returns another constructor with the same prototype,
 * as opentelemetry-instrumentation-express replaces that of layers.
 */
export const REPLACED = `function replaced(original, see) {
  function Replacement(...args) {
    if (!(this instanceof Replacement)) return new Replacement(...args);
    see(...args);
    return original.apply(this, args);
  }
  Replacement.prototype = original.prototype;
  return Replacement;
}
`;

function programOf(hooks: string, registered: string): string {
  return `
const Module = require('node:module');
const seen = [];
const wrap = (object, name, see) => {
  const original = object[name];
  object[name] = { [name](...args) { see(this, ...args); return original.apply(this, args); } }[name];
};
const hooks = ${hooks};
const load = Module.prototype.require;
const hooked = new Map();
Module.prototype.require = function (id) {
  const exported = load.call(this, id);
  const file = Module._resolveFilename(id, this).replaceAll('\\\\', '/');
  const [, packageRoot, name, path] = /^(.*\\/node_modules\\/(express|router)[34]?)\\/(.*)$/.exec(file) ?? [];
  const hook = hooks[name + '/' + path];
  if (!hook || hooked.has(file)) return hooked.get(file) ?? exported;
  seen.push(name + ' ' + load.call(module, packageRoot + '/package.json').version + ' ' + path);
  hooked.set(file, hook(exported) ?? exported);
  return hooked.get(file);
};
const express = require(process.argv[1]);
const app = express();
const inner = express.Router();
app.engine('txt', (file, options, done) => done(null, file)).set('views', __dirname);
app.set('view', class { path = 'x'; render(options, done) { done(null, 'page'); } });
app.use(function first(req, res, next) { next(); });
app.param('id', (req, res, next) => next());
app.get('/user/:id', function user(req, res) { res.json(req.params); });
inner.get('/page', (req, res) => res.render('page.txt'));
app.use('/inner', inner);
app.get('/fails', () => { throw new Error('fails'); });
app.use(function failed(err, req, res, next) { res.status(500).end(); });
${registered}
const server = app.listen(0, '127.0.0.1', async () => {
  for (const path of ['/user/7', '/inner/page', '/fails']) {
    await fetch('http://127.0.0.1:' + server.address().port + path);
  }
  server.close(() => console.log(seen.join('\\n')));
  server.closeAllConnections();
});
`;
}
