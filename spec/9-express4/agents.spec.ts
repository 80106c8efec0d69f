import { expect } from 'chai';
import { traceApplication } from '../support/traced';

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

describe('APM agents for Express 4', () => {
  it('trace an application of nozomi/4 through the files of express 4.22.3 that they find [E4-C7]', () => {
    const [ours, theirs] = [traceApplication('nozomi/4', HOOKS), traceApplication('express4', HOOKS)];
    const isLoaded = (line: string) => line.startsWith('express 4.22.3 ') || line.startsWith('query ');

    expect(ours.filter(isLoaded).sort()).to.deep.equal(theirs.filter(isLoaded).sort());
    expect(ours.filter((line) => !isLoaded(line))).to.deep.equal(theirs.filter((line) => !isLoaded(line)));
    expect(theirs).to.include('route /user/:id');
  });
});
