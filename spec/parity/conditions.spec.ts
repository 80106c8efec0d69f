/** The conditions in which an application is replayed: they are those of `node app.js`. */
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { serversFor } from '../../parity/application/servers';
import { get } from '../../parity/client/request';
import type { ServerPlace } from '../../parity/implementations/protocol';
import { temporaryFolder } from '../../parity/temporary-folder';
import { APPLICATIONS, type Ended, runParity } from '../support/command';

/** Creates a folder with an application, in which it finds Express. */
function layOut(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder('conditions');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(dirname(require.resolve('express')), join(folder, 'node_modules', 'express'), 'junction');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

function compare(cwd: string, ...args: string[]): Promise<Ended> {
  const { NODE_ENV: _unset, ...env } = process.env;
  return runParity(args, { cwd, env });
}

describe('an application that is compared', () => {
  const ROUTES = ['/process', '/memory', '/environment', '/page', '/written'];
  const folder = layOut({
    'conditions.env': 'NODE_ENV=production\n',
    'a.http': ROUTES.map((path) => `GET ${path}\n\n`).join(''),
  });
  before(() => cpSync(join(APPLICATIONS, 'conditions.js'), join(folder, 'conditions.js')));

  it('has its own process id, plausible memory, its environment, and reaches its own API', async () => {
    const { output } = await compare(folder, 'conditions.js', '--requests', 'a.http', '--show');
    const bodies = [...output.matchAll(/ 1\.body +(.*)/g)].map(([, body]) => body);

    expect(bodies.slice(0, 4)).to.deep.equal([
      '{"isParent":true,"pid":4242}',
      'true',
      '["production","production","undefined"]',
      '{"own":true}',
    ]);
    const lines = [...output.matchAll(/ stdout\.\d+ +(.*)/g)].map(([, line]) => JSON.parse(line ?? ''));
    expect(lines).to.deep.equal([
      'listening on 3000\n',
      'direct\n',
      'child\n',
      "{ 'x-powered-by': 'Express', pid: 4242 }\n",
    ]);
  });

  it('is equal, although other processes keep its pipes open', async () => {
    const { code, output } = await compare(folder, 'conditions.js', '--requests', 'a.http');

    expect(output).to.match(/\n6 passed, 0 failed\n$/);
    expect(code).to.equal(0);
  });
});

describe('nozomi-parity --coverage', () => {
  it('counts a route only if its handler ran, not if a guard responded before it', async () => {
    const folder = layOut({
      'app.js': `
        require('express')()
          .use((req, res, next) => (req.get('Authorization') ? next() : res.sendStatus(401)))
          .get('/a', (_req, res) => res.send('a'))
          .get('/b', (_req, res) => res.send('b'))
          .listen(3000);`,
      'a.http': 'GET /a\n\nGET /b\nAuthorization: Bearer 1\n',
    });
    const { code, output } = await compare(folder, 'app.js', '--requests', 'a.http', '--coverage');

    expect(output).to.include('no request for 1 of 2 routes: GET /a (--allow-missed-routes)\n');
    expect(output).to.include(
      '1 response of the baseline is an error that a.http does not expect: 401; GET /a',
    );
    expect(output).to.match(/\n2 passed, 0 failed, 1 inconclusive\n$/);
    expect(code).to.equal(2);
  });
});

describe('nozomi-parity --fresh', () => {
  const folder = layOut({
    'app.js': `
      const fs = require('node:fs');
      const file = require('node:path').join(__dirname, 'visits.json');
      require('express')()
        .get('/', (_req, res) => {
          fs.writeFileSync(file, String(Number(fs.readFileSync(file)) + 1));
          res.send({ visits: Number(fs.readFileSync(file)) });
        })
        .listen(3000);`,
    'visits.json': '7',
    'a.http': 'GET /\n',
  });

  it('starts the application in the copy, where it writes beside itself', async () => {
    const { code, output } = await compare(folder, 'app.js', '--requests', 'a.http', '--fresh', '.');

    expect(output).to.match(/ s\n2 passed, 0 failed\n$/);
    expect([code, readFileSync(join(folder, 'visits.json'), 'utf8')]).to.deep.equal([0, '7']);
  });

  it('is what a run without it needs: the number varies', async () => {
    const { code, output } = await compare(folder, 'app.js', '--requests', 'a.http');

    expect(output).to.include('varies between runs: 1.body of GET / (--allow-varying)');
    expect(code).to.equal(2);
  });
});

describe('the server that receives a request', () => {
  const server = (name: string, asked?: number): ServerPlace => ({
    name,
    ...(asked !== undefined && { asked }),
    at: { port: 1, host: '127.0.0.1' },
    isSecure: false,
  });
  const chosen = (hosts: readonly string[], ...servers: ServerPlace[]): string[] =>
    serversFor(
      hosts.map((Host) => ({ ...get('/', { Host }), id: Host })),
      servers,
    ).map(({ name }) => name);

  it('is the one on the port in the Host header', () => {
    const servers = [server('site', 3000), server('admin', 3001)];

    expect(chosen(['localhost:3001', '127.0.0.1:3000', 'shop.test'], ...servers)).to.deep.equal([
      'admin',
      'site',
      'site',
    ]);
  });

  it('is the one that no request names if the port came from the environment', () => {
    const servers = [server('site', 3000), server('admin', 3001)];

    expect(chosen(['127.0.0.1:21254', '127.0.0.1:3001'], ...servers)).to.deep.equal(['site', 'admin']);
    expect(chosen(['127.0.0.1:21254', '127.0.0.1:4000', '127.0.0.1:5000'], ...servers)).to.deep.equal([
      'site',
      'admin',
      'nowhere',
    ]);
  });

  it('may listen on a Unix socket, whose file the application changes', async () => {
    const folder = layOut({
      'app.js': `
        require('express')()
          .get('/', (req, res) => res.json({ ip: req.ip ?? null }))
          .listen('./a.sock', () => require('node:fs').chmodSync('./a.sock', 0o660));`,
      'a.http': 'GET /\n',
    });
    const { code } = await compare(folder, 'app.js', '--requests', 'a.http', '--fresh', '.');

    expect([code, existsSync(join(folder, 'a.sock'))]).to.deep.equal([0, false]);
  });
});
