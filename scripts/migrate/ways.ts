/** Ways to write a program of Express. Each makes the files of a program from a piece with the placeholders of rules.ts. */
import type { Piece } from './rules';

/** The texts of the files by name. */
export type Files = Readonly<Record<string, string>>;

/** Where a piece is written: what the placeholders stand for. */
interface Names {
  readonly app: string;
  readonly express?: string;
  readonly req?: string;
  readonly res?: string;
  readonly show?: string;
}

type Way = (piece: Required<Piece>) => Files;

function fill(
  text: string,
  { app, express = 'express', req = 'req', res = 'res', show = 'show' }: Names,
): string {
  const names: Readonly<Record<string, string>> = { app, express, req, res, show };
  return text.replace(/\$(app|express|req|res|show)\b/g, (_, name: string) => names[name] ?? '');
}

const SHOW = (handler: string): string =>
  `const show = (req, res) => { ${fill(handler, { app: 'app' })} };\n`;
const body = ({ setup, handler }: Required<Piece>, app = 'app'): string =>
  `${SHOW(handler)}${fill(setup, { app })}\n${app}.get('/t', show);\n`;

/** The members of `express` that a piece uses, and the piece with their names alone. */
function namedImports(
  { setup, handler }: Required<Piece>,
  as: string,
): { names: string; piece: Required<Piece> } {
  const names = new Set<string>();
  const alone = setup.replace(/\$express\.(\w+)/g, (_, name: string) => {
    names.add(name === 'static' ? `static${as} serveStatic` : name);
    return name === 'static' ? 'serveStatic' : name;
  });
  return { names: [...names].join(', '), piece: { setup: alone, handler } };
}

export const WAYS: Readonly<Record<string, Way>> = {
  require: (piece) => ({
    'app.js': `const express = require('express');\nconst app = express();\n${body(piece)}module.exports = app;\n`,
  }),
  import: (piece) => ({
    'app.mjs': `import express from 'express';\nconst app = express();\n${body(piece)}export default app;\n`,
  }),
  'import *': (piece) => ({
    'app.ts': `import * as express from 'express';\nconst app = express();\n${body(piece)}export { app };\n`,
  }),
  'import { }': (given) => {
    const { names, piece } = namedImports(given, ' as');
    const imported = names ? `, { ${names} }` : '';
    return {
      'app.mjs': `import web${imported} from 'express';\nconst app = web();\n${body(piece)}export default app;\n`,
    };
  },
  'require { }': (given) => {
    const { names, piece } = namedImports(given, ':');
    const taken = names ? `const { ${names} } = require('express');\n` : '';
    return { 'app.js': `${taken}const app = require('express')();\n${body(piece)}module.exports = app;\n` };
  },
  parameter: ({ setup, handler }) => ({
    'routes.js': `const express = require('express');\nmodule.exports = (server, show) => {\n${fill(setup, { app: 'server' })}\nserver.get('/t', show);\n};\n`,
    'show.js': `module.exports = (req, res) => { ${fill(handler, { app: 'app' })} };\n`,
    'main.js': "const app = require('express')();\nrequire('./routes')(app, require('./show'));\n",
  }),
  factory: ({ setup, handler }) => ({
    'app.js': `const express = require('express');
function createServer() { const made = express(); return made; }
const createHandler = () => (req, res) => { ${fill(handler, { app: 'app' })} };
const show = createHandler();
const server = createServer();
${fill(setup, { app: 'server' })}
server.get('/t', show);
`,
  }),
  class: ({ setup, handler }) => ({
    'server.js': `const express = require('express');
class Server {
constructor() { this.server = express(); }
start() { const { show } = this; ${fill(setup, { app: 'this.server' })} this.server.get('/t', show); }
show(req, res) { ${fill(handler, { app: 'this.server' })} }
}
module.exports = Server;
`,
  }),
  decorators: ({ setup, handler }) => {
    const routed = /^\$app\.(get|use)\((\[?['/].*), \$show\);$/.exec(setup);
    return {
      'server.ts': `import express, { type Application, type Request, type Response } from 'express';
import { Controller, Get, Inject, OnStart, Req, Res } from 'decorated';
const application = express();
@Controller('/t')
export class Server {
constructor(@Inject('app') private readonly server: Application) {}
@OnStart()
start() { const { show } = this; ${routed ? '' : fill(setup, { app: 'this.server' })} }
@Get(${routed?.[2] ?? "'/t'"})
show(@Req() asked: Request, @Res() given: Response) { ${fill(handler, { app: 'this.server', req: 'asked', res: 'given' })} }
}
new Server(application).start();
`,
    };
  },
  TypeScript: ({ setup, handler }) => ({
    'server.ts': `import express, { type Express, type RequestHandler } from 'express';
const make = (): Express => express();
const server: Express = make();
const show: RequestHandler = (asked, given): void => { ${fill(handler, { app: 'server', req: 'asked', res: 'given' })} };
export function start(web: Express): void { ${fill(setup, { app: 'web' })} web.get('/t', show); }
start(server);
`,
  }),
  chained: ({ setup, handler }) => ({
    'app.js': `const express = require('express');
const show = (req, res) => { ${fill(handler, { app: 'req.app' })} };
${fill(setup, { app: "express().disable('etag').get('/u', show)" })}
`,
  }),
  'table of routes': ({ setup, handler }) => {
    const row = /^\$app\.(\w+)\((.*), \$show\);$/.exec(setup);
    const rows = row
      ? `const routes = [{ method: '${row[1]}', path: ${row[2]}, show }];\nfor (const route of routes) app[route.method](route.path, route.show);\n`
      : `const steps = [(app) => { ${fill(setup, { app: 'app' })} }];\nfor (const step of steps) step(app);\n`;
    return {
      'app.js': `const express = require('express');\nconst app = express();\n${SHOW(handler)}${rows}app.get('/t', show);\n`,
    };
  },
  're-export': ({ setup, handler }) => ({
    'web.js': "exports.web = require('express');\n",
    'server.mjs':
      "import { web } from './web.js';\nconst made = web();\nexport { made as default, made as server };\n",
    'routes.mjs': `import { server } from './server.mjs';\nimport { web } from './web.js';\nimport show from './show.mjs';\n${fill(setup, { app: 'server', express: 'web' })}\nserver.get('/t', show);\n`,
    'show.mjs': `const show = (req, res) => { ${fill(handler, { app: 'req.app' })} };\nexport { show as default };\n`,
  }),
  'new express()': (piece) => ({
    'app.js': `const express = require('express');\nconst app = new express();\n${body(piece)}module.exports = app;\n`,
  }),
  'computed names': ({ setup, handler }) => {
    const names = new Set<string>();
    const compute = (text: string): string =>
      text.replace(/(\$(?:app|express|req|res)|\w+\(\d+\))\.(\w+)/g, (_, object: string, name: string) => {
        names.add(name);
        return `${object}[M_${name}]`;
      });
    const computed = { setup: compute(setup), handler: compute(handler) };
    const constants = [...names].map((name) => `const M_${name} = '${name}';\n`).join('');
    return {
      'app.js': `const express = require('express');\nconst app = express();\n${constants}${body(computed)}module.exports = app;\n`,
    };
  },
  '(request, reply)': ({ setup, handler }) => {
    const names = {
      app: 'app',
      req: handler.includes('$req') ? 'request' : '_',
      res: handler.includes('$req') ? 'reply' : 'res',
    };
    return {
      'app.js': `const express = require('express');\nconst { show } = require('./handlers');\nconst app = express();\n${fill(setup, names)}\napp.get('/t', show);\n`,
      'handlers.js': `exports.show = function (${names.req}, ${names.res}) { ${fill(handler, names)} };\n`,
    };
  },
};

/** Writes computed names as they are, so that a program with them can be compared. */
export function withPlainNames(text: string): string {
  return text
    .replace(/^const M_.*\n/gm, '')
    .replace(/\[M_(\w+)\]|\['(\w+)'\]/g, (_, one?: string, two?: string) => `.${one ?? two}`);
}
