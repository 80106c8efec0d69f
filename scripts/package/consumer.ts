/**
 * The source code of applications that use the installed package: to load it in several ways, to compile and to bundle.
 */
import type { Series } from './tarball';

const LOAD = {
  commonjs: `
    const express = require('express');
    const logger = require('express/logger');
    const { readFile } = require('node:fs');`,
  module: `
    import express from 'express';
    import logger from 'express/logger';
    import { readFile } from 'node:fs';`,
};

export type ModuleKind = keyof typeof LOAD;

/**
 * Generates an application that checks whether `require('express')` loads the files that APM agents instrument. Agents
 * find them by package, version and path.
 *
 * @param names The paths below `lib/`, without extension.
 */
function agents(series: Series, names: readonly string[]): string {
  return `
    const express = require('express');
    const missing = new Set(${JSON.stringify(names)});
    for (const file of Object.keys(require.cache)) {
      const [, folder, name] = /^(.*[\\\\/]node_modules[\\\\/]express)[\\\\/]lib[\\\\/](.*)\\.js$/.exec(file) || [];
      if (!folder) continue;
      if (require(folder + '/package.json').version.split('.')[0] !== '${series}') throw new Error('another version: ' + file);
      missing.delete(name.replaceAll('\\\\', '/'));
    }
    if (missing.size > 0) throw new Error('not loaded: ' + [...missing]);
    if (require('express/5') === express) throw new Error('wrong series');
    console.log('ok');`;
}

const OF_EXPRESS_5: Readonly<Record<string, string>> = {
  'require.cjs': `
    const express = require('express');
    if (typeof express() !== 'function' || express !== express.default) throw new Error('no framework');
    if (require('express/package.json').version.split('.')[0] !== '5') throw new Error('no version 5');
    if (typeof require('express/logger') !== 'function') throw new Error('no logger');
    if (typeof require('express/http2').listen !== 'function') throw new Error('no http2');
    if (typeof require('express/graceful').graceful !== 'function') throw new Error('no graceful');
    if (typeof require('express/extras').strict !== 'function') throw new Error('no strict');
    if (typeof require('express/fetch').toFetch !== 'function') throw new Error('no fetch');
    if (require('express/5') !== express || require('express/3') === express) throw new Error('wrong series');
    console.log('ok');`,
  'import.mjs': `
    import express, { Router, Route, json, raw, text, urlencoded, application, request, response } from 'express';
    import * as all from 'express';
    import { Router as same } from 'express/index.js';
    import logger from 'express/logger';
    import { createServer, listen } from 'express/http2';
    import { graceful } from 'express/graceful';
    import { fromFetch, toFetch } from 'express/fetch';
    import { createRequire } from 'node:module';
    const require = createRequire(import.meta.url);
    if (express !== require('express') || logger !== require('express/logger')) throw new Error('two instances');
    if (listen !== require('express/http2').listen || createServer !== require('express/http2').createServer) throw new Error('another http2');
    if (toFetch !== require('express/fetch').toFetch || fromFetch !== require('express/fetch').fromFetch) throw new Error('another fetch');
    if (graceful !== require('express/graceful').graceful) throw new Error('another graceful');
    if (same !== Router) throw new Error('another index.js');
    for (const name of ['Router', 'Route', 'json', 'raw', 'text', 'urlencoded', 'application', 'request', 'response', 'static', 'logger', 'framework']) {
      if (all[name] === undefined || all[name] !== express[name]) throw new Error('not the same: ' + name);
    }
    console.log('ok');`,
  'inside.cjs': `
    const express = require('express');
    const inside = Object.fromEntries(['application', 'request', 'response', 'utils', 'view', 'express'].map((name) => {
      const part = require('express/lib/' + name);
      if (part !== require('express/lib/' + name + '.js')) throw new Error('two of lib/' + name);
      if (part !== require('./node_modules/express/lib/' + name)) throw new Error('two files lib/' + name);
      return [name, part];
    }));
    for (const name of ['application', 'request', 'response']) {
      if (inside[name] !== express[name]) throw new Error('another ' + name);
    }
    if (inside.express !== express || require('express/index.js') !== express) throw new Error('another express');
    if (express().get('view') !== inside.view) throw new Error('another view');
    console.log('ok');`,
};

const OF_EXPRESS_3: Readonly<Record<string, string>> = {
  'require.cjs': `
    const express = require('express');
    const app = express();
    if (require('express/package.json').version.split('.')[0] !== '3') throw new Error('no version 3');
    if (require('express/3') !== express || typeof express.cookieSession !== 'function') throw new Error('no Express 3');
    if (typeof app.del !== 'function') throw new Error('no application of Express 3');
    const next = require('express/5');
    if (next === express || typeof next().use !== 'function') throw new Error('no Express 5');
    if (typeof require('express/logger') !== 'function') throw new Error('no logger');
    console.log('ok');`,
  'import.mjs': `
    import express from 'express';
    import next, { Router } from 'express/5';
    import { createRequire } from 'node:module';
    const require = createRequire(import.meta.url);
    if (express !== require('express') || express !== require('express/index.js')) throw new Error('two instances');
    if (next !== require('express/5') || Router !== next.Router) throw new Error('two instances of Express 5');
    console.log('ok');`,
  'inside.cjs': `
    const express = require('express');
    for (const name of ['application', 'request', 'response']) {
      if (require('express/lib/' + name) !== express[name]) throw new Error('another ' + name);
    }
    for (const name of ['router', 'router/route', 'utils', 'view']) {
      if (require('./node_modules/express/lib/' + name) !== require('express/lib/' + name)) throw new Error('two files lib/' + name);
    }
    if (require('express/lib/router') !== express.Router || require('express/lib/router/route') !== express.Route) throw new Error('other routers');
    console.log('ok');`,
  'agents.cjs': agents('3', [
    'express',
    'application',
    'request',
    'response',
    'router/index',
    'router/route',
  ]),
};

const OF_EXPRESS_4: Readonly<Record<string, string>> = {
  'require.cjs': `
    const express = require('express');
    const app = express();
    if (require('express/package.json').version.split('.')[0] !== '4') throw new Error('no version 4');
    if (require('express/4') !== express || typeof app.del !== 'function') throw new Error('no Express 4');
    app.lazyrouter();
    if (app._router.stack[1].name !== 'expressInit') throw new Error('no router of Express 4');
    const next = require('express/5');
    if (next === express || typeof next().use !== 'function') throw new Error('no Express 5');
    if (require('express/3') === express || typeof require('express/logger') !== 'function') throw new Error('no others');
    console.log('ok');`,
  'import.mjs': `
    import express, { Router, json } from 'express';
    import next from 'express/5';
    import { createRequire } from 'node:module';
    const require = createRequire(import.meta.url);
    if (express !== require('express') || express !== require('express/index.js')) throw new Error('two instances');
    if (Router !== express.Router || json !== express.json) throw new Error('other members');
    if (next !== require('express/5')) throw new Error('two instances of Express 5');
    console.log('ok');`,
  'inside.cjs': `
    const express = require('express');
    for (const name of ['application', 'request', 'response']) {
      if (require('express/lib/' + name) !== express[name]) throw new Error('another ' + name);
    }
    if (require('express/lib/express') !== express || require('express/lib/router') !== express.Router) throw new Error('others');
    if (require('express/lib/router/index.js') !== express.Router || require('express/lib/router/route') !== express.Route) throw new Error('other routers');
    const app = express().get('/', () => {});
    if (!(app._router.stack[0] instanceof require('express/lib/router/layer'))) throw new Error('another layer');
    if (app.get('view') !== require('express/lib/view')) throw new Error('another view');
    require('express/lib/middleware/init').init(app);
    require('express/lib/middleware/query')();
    if (require('express/lib/utils').normalizeType('js').value !== 'application/javascript') throw new Error('other utils');
    for (const name of ['application', 'router/index', 'router/layer', 'middleware/query', 'utils']) {
      if (require('./node_modules/express/lib/' + name) !== require('express/lib/' + name)) throw new Error('two files lib/' + name);
    }
    console.log('ok');`,
  'agents.cjs': agents('4', [
    'express',
    'application',
    'middleware/init',
    'middleware/query',
    'request',
    'response',
    'router/index',
    'router/layer',
    'router/route',
  ]),
};

/**
 * Applications by version of Express and by name of the file. Each prints `ok` if its way to load the package works.
 */
export const ENTRY_POINTS: Readonly<Record<Series, Readonly<Record<string, string>>>> = {
  5: OF_EXPRESS_5,
  4: OF_EXPRESS_4,
  3: OF_EXPRESS_3,
};

const TYPED_5 = `
import express, { type NextFunction, type Request, type Response } from 'express';
import logger from 'express/logger';
import { fromFetch, toFetch } from 'express/fetch';
import { graceful } from 'express/graceful';
import { createServer, listen } from 'express/http2';
const app: express.Application = express();
app.use(logger('dev'), express.json(), express.static('public'));
app.get('/users/:id', (req, res) => { const id: string = req.params.id; res.json({ id }); });
app.use((err: Error, _req: Request, res: Response, _next: NextFunction) => { res.status(500).send(err.message); });
graceful(listen(app, { port: 443, cert: '', key: '' }), { signals: ['SIGTERM'] });
graceful(createServer({ cleartext: true }, app));
app.use('/fetch', fromFetch(toFetch(app)), fromFetch(async (request) => new Response(request.body)));
const answer: Promise<globalThis.Response> = toFetch(app)('/users/1', { method: 'POST' });
`;

const TYPED_3 = `
import express from 'express';
import next from 'express/5';
const app: express.Application = express();
app.use(express.logger('dev')).use(express.bodyParser());
app.get('/users/:id', (req, res) => { const id: string | undefined = req.params.id; res.json(200, { id }); });
app.del('/users/:id', (req, res) => { res.send(204); });
next().get('/users/:id', (req, res) => { const id: string = req.params.id; res.json({ id }); });
`;

const TYPED_4 = `
import express, { type NextFunction, type Request, type Response } from 'express';
import next from 'express/5';
const app: express.Application = express();
app.use(express.json(), express.urlencoded({ extended: true }), express.static('public'));
app.get('/users/:id/:part?', (req, res) => { const id: string = req.params.id; res.json(200, { id, part: req.params.part }); });
app.del('/users/:id', (req, res) => { res.send(204); });
app.use((err: Error, _req: Request, res: Response, _next: NextFunction) => { res.status(500).send(err.message); });
next().get('/users/:id', (req, res) => { const id: string = req.params.id; res.json({ id }); });
`;

/** By version of Express: an application to compile in strict mode. */
export const TYPED: Readonly<Record<Series, string>> = { 5: TYPED_5, 4: TYPED_4, 3: TYPED_3 };

/**
 * Generates an application with a view, static files, a body parser and the logger. It sends requests to itself and
 * prints responses and log lines as JSON, which must equal `ANSWERS`.
 */
export function application(kind: ModuleKind): string {
  return `${LOAD[kind]}
    const lines = [];
    const app = express();
    app.engine('txt', (file, { name }, done) => readFile(file, 'utf8', (err, text) => done(err, text?.replace('NAME', name))));
    app.set('views', 'files').set('view engine', 'txt');
    app.use(logger(':method :url :status', { stream: { write: (line) => lines.push(line.trim()) } }));
    app.use(express.json(), express.static('.'));
    app.get('/hello/:name', (req, res) => res.render('hello', req.params));
    app.post('/echo', (req, res) => res.json(req.body));
    const server = app.listen(0, '127.0.0.1', async () => {
      const ask = async (path, init) => {
        const answer = await fetch('http://127.0.0.1:' + server.address().port + path, init);
        return answer.status + ' ' + (await answer.text()).trim();
      };
      const responses = [
        await ask('/hello/Ada'),
        await ask('/files/hello.txt'),
        await ask('/echo', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' }),
        (await ask('/none')).slice(0, 3),
      ];
      server.closeAllConnections();
      server.close(() => console.log(JSON.stringify({ responses, lines })));
    });`;
}

export const ANSWERS: string = JSON.stringify({
  responses: ['200 Hello Ada', '200 Hello NAME', '200 {"a":1}', '404'],
  lines: ['GET /hello/Ada 200', 'GET /files/hello.txt 200', 'POST /echo 200', 'GET /none 404'],
});
