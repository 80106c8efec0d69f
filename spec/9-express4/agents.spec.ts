import { expect } from 'chai';
import { REPLACED, traceApplication } from '../support/traced';

// Wrappers for functions that APM agents wrap, in the files of `express/lib`. They record the calls.
const HOOKS = `{
  'express/lib/express.js': ({ application, response, Router }) => {
    wrap(application, 'handle', (app, req) => seen.push('handle ' + req.method + ' ' + req.url));
    wrap(application, 'use', (app, first) => seen.push('app.use ' + (first.name || first)));
    wrap(response, 'json', (res, body) => seen.push('json ' + JSON.stringify(body)));
    wrap(Router, 'use', (router, first) => seen.push('use ' + (first.name || first)));
    wrap(Router, 'route', (router, path) => seen.push('route ' + path));
    wrap(Router, 'process_params', (router, layer) => seen.push('params of ' + layer.name));
  },
  'express/lib/router/layer.js': ({ prototype }) => {
    for (const name of ['handle_request', 'handle_error'])
      wrap(prototype, name, (layer) => seen.push(name + ' ' + layer.name + ' ' + layer.path + ' ' + layer.regexp));
  },
  'express/lib/response.js': (response) => wrap(response, 'render', (res, name) => seen.push('render ' + name)),
  'express/lib/middleware/query.js': (query) => { seen.push('query ' + typeof query); },
}`;

/** Puts other constructors in place of those of Express. */
const REPLACING = `{
  'express/lib/router/layer.js': (Layer) => replaced(Layer, (path) => seen.push('layer ' + path)),
  'express/lib/router/route.js': (Route) => replaced(Route, (path) => seen.push('new route ' + path)),
  'express/lib/router/index.js': (Router) => Object.setPrototypeOf(
    Object.assign(function (...args) { seen.push('router'); return Router(...args); }, Router), Router),
}`;
const REGISTERED = `${REPLACED}
  seen.push(express.Route.name);
  new express.Route('/own');`;

describe('APM agents for Express 4', () => {
  proves('E4-C7');
  it('trace an application of nozomi/4 through the files of express 4.22.3 that they find', () => {
    const [ours, theirs] = [traceApplication('nozomi/4', HOOKS), traceApplication('express4', HOOKS)];
    const isLoaded = (line: string) => line.startsWith('express 4.22.3 ') || line.startsWith('query ');

    expect(ours.filter(isLoaded).sort()).to.deep.equal(theirs.filter(isLoaded).sort());
    expect(ours.filter((line) => !isLoaded(line))).to.deep.equal(theirs.filter((line) => !isLoaded(line)));
    expect(theirs).to.include('route /user/:id');
  });

  it('replace constructors, which nozomi/4 then uses as Express does', () => {
    const [ours, theirs] = [
      traceApplication('nozomi/4', REPLACING, REGISTERED),
      traceApplication('express4', REPLACING, REGISTERED),
    ];
    const isUse = (line: string) => !line.startsWith('express 4.22.3 ');

    expect(ours.filter(isUse)).to.deep.equal(theirs.filter(isUse));
    expect(theirs).to.include.members(['layer /user/:id', 'new route /own', 'router']);
  });

  proves('E4-B1');
  it('find the path-to-regexp of Express 4, which compiles as its own', () => {
    const [ours, theirs] = ['nozomi/4', 'express4'].map(pathToRegexpOf);

    for (const path of ['/a/:b?', ['/either', '/or/:that'], '*', /^\/pattern(\d+)$/])
      expect(String(ours?.(path))).to.equal(String(theirs?.(path)));
  });
});

/** @returns The first module of a package `path-to-regexp` that `framework` loads, as an APM agent finds it. */
function pathToRegexpOf(framework: string): ((path: unknown) => RegExp) | undefined {
  require(framework);
  const [file] = Object.keys(require.cache).filter((name) => isBelow(name, framework));
  return file === undefined ? undefined : require.cache[file]?.exports;
}

function isBelow(file: string, framework: string): boolean {
  const folder = framework === 'express4' ? 'node_modules/express4' : 'dist/express4';
  return file.replaceAll('\\', '/').endsWith(`/${folder}/node_modules/path-to-regexp/index.js`);
}
