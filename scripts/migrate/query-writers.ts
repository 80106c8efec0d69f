// Installs packages that validate, convert or clean requests (query-packages.yaml), and runs a request through each, with
// Express 4. A package that assigns `req.query` or a part of it must be in the list of `nozomi-parity migrate`, because
// Express 5 has no setter for it. Run this script after a release of such a package. It needs the npm registry.
//
//   npm run check -- query-writers                      all packages
//   npm run check -- query-writers hpp celebrate        only the named packages
//
// Exit code 1 if a package writes and is not in the list, or if one cannot run.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { run } from '../../parity/harness/processes';
import { QUERY_WRITERS } from '../../parity/migrate/application';
import { temporaryFolder } from '../../parity/temporary-folder';
import { runCommand, toNames } from '../command';
import { formatLine } from '../table';

const PACKAGES = parse(readFileSync(join(__dirname, 'query-packages.yaml'), 'utf8')) as Record<
  string,
  string
>;

/** Plays a request to an application with the package, and prints what happens to the query. */
const PROGRAM = `
const express = require('express'), http = require('node:http'), load = require;
const SPEC = { openapi: '3.0.0', info: { title: 'a', version: '1' }, paths: { '/': { get: {
  parameters: [{ name: 'a', in: 'query', schema: { type: 'integer' } }], responses: { 200: { description: 'ok' } } } } } };
const [, , name, code] = process.argv;
const writes = new Set();
const watched = (value, path) => typeof value !== 'object' || value === null ? value : new Proxy(value, {
  get: (one, key) => watched(one[key], path + '.' + String(key)),
  set: (one, key, to) => { writes.add(path + '.' + String(key)); one[key] = to; return true; },
  deleteProperty: (one, key) => { writes.add(path + '.' + String(key)); return delete one[key]; },
  defineProperty: (one, key, to) => { writes.add(path + '.' + String(key)); return Reflect.defineProperty(one, key, to); },
});
const m = require(name);
const app = express();
app.use((req, _res, next) => {
  let query = req.query;
  Object.defineProperty(req, 'query', {
    configurable: true, enumerable: true,
    get: () => watched(query, 'req.query'),
    set: (to) => { writes.add('req.query'); query = to; },
  });
  next();
});
const done = (how) => { console.log(JSON.stringify({ writes: [...writes], how })); process.exit(); };
app.use(eval(code));
app.get('/', (_req, res) => res.json({}));
app.use((error, _req, res, _next) => res.status(500).json(String(error && error.stack || error)));
const server = app.listen(0, '127.0.0.1', () => http.get({ port: server.address().port, host: '127.0.0.1',
  path: '/?a=1&b[$gt]=2&c=%20%3Cscript%3Ex%3C/script%3E&d=1&d=2&e=true&F=1' }, async (res) => {
  let text = '';
  for await (const chunk of res) text += chunk;
  done(res.statusCode + ' ' + text.slice(0, 300));
}));
`;

interface Seen {
  readonly writes: readonly string[];
  readonly how: string;
}

runCommand({
  allowPositionals: true,
  run({ positionals }) {
    toNames(positionals, Object.keys(PACKAGES));
    const names = positionals.length > 0 ? positionals : Object.keys(PACKAGES);
    const folder = temporaryFolder('query-writers');
    writeFileSync(join(folder, 'package.json'), '{}');
    writeFileSync(join(folder, 'ask.js'), PROGRAM);
    const packages = ['express@4', 'joi@17', 'yup', 'zod@3', ...names];
    run(
      'npm',
      [
        'install',
        '--no-audit',
        '--no-fund',
        '--ignore-scripts',
        '--legacy-peer-deps',
        '--silent',
        ...packages,
      ],
      folder,
    );
    let wrong = 0;
    for (const name of names) {
      const { version } = JSON.parse(
        readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'),
      );
      const seen = ask(name, folder);
      const isListed = QUERY_WRITERS.has(name);
      const hasRun = typeof seen !== 'string' && seen.how.startsWith('200');
      const doesWrite = typeof seen !== 'string' && seen.writes.length > 0;
      // A later version may no longer write: the list is for all versions.
      const isRight = doesWrite ? isListed : hasRun;
      if (!isRight) wrong++;
      const what = doesWrite ? (seen as Seen).writes.join(', ') : hasRun ? 'does not write' : 'cannot run';
      console.log(
        formatLine([isRight ? '✓' : '✗', `${name} ${version}`, isListed ? 'listed' : '', what], WIDTHS),
      );
      if (!hasRun && !doesWrite) console.log(typeof seen === 'string' ? seen : seen.how);
    }
    console.log(`${names.length} packages, ${wrong} not as the list says`);
    return wrong === 0;
  },
});

const WIDTHS = [-2, -52, -8, -60];

/** Asks a package. Returns what it printed if it does not run. */
function ask(name: string, folder: string): Seen | string {
  try {
    const output = run(process.execPath, ['ask.js', name, PACKAGES[name] ?? ''], folder);
    return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Seen;
  } catch (error) {
    return String(error).slice(0, 500);
  }
}
