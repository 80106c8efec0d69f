/** `toFetch` on a runtime whose requests ignore their socket and whose responses are bound to its own server. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const root = join(__dirname, '..', '..');

/** Changes `node:http` to what workerd has, and prints what an application sees. */
const PROGRAM = `
  const http = require('node:http');
  const { IncomingMessage, ServerResponse } = http;
  class WorkerRequest extends IncomingMessage {
    #socket;
    constructor() { super(undefined); }
    get socket() { return this.#socket; }
    set socket(_ignored) {}
    get connection() { return this.#socket; }
    set connection(socket) { this.#socket = socket; }
    _read() { this.push(null); }
  }
  class WorkerResponse extends ServerResponse {
    constructor(req) {
      super(req);
      this.statusMessage = 'unknown';
      this.once('close', () => Promise.reject(new Error('no response was created')));
    }
  }
  Object.assign(http, { IncomingMessage: WorkerRequest, ServerResponse: WorkerResponse });
  const nozomi = require('nozomi');
  const { toFetch } = require('nozomi/fetch');
  const app = nozomi();
  app.post('/', nozomi.json(), (req, res) => res.status(201).json({ body: req.body, ip: req.ip }));
  app.get('/', (req, res) => res.send(req.protocol));
  app.get('/destroyed', (req) => req.destroy());
  const ask = toFetch(app, { remoteAddress: '192.0.2.1' });
  (async () => {
    const json = { 'content-type': 'application/json' };
    const posted = await ask('/', { method: 'POST', headers: json, body: '{"a":[1]}' });
    const got = await ask('https://a.example/');
    const destroyed = await ask('/destroyed').catch((error) => error.code);
    console.log(JSON.stringify([posted.status, posted.statusText, await posted.json(), await got.text(), destroyed]));
  })();
`;

describe('toFetch on workerd', () => {
  it('passes the body and the address to the application, and leaves no rejected promise', async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['-e', PROGRAM], { cwd: root });
    expect(JSON.parse(stdout)).to.deep.equal([
      201,
      'Created',
      { body: { a: [1] }, ip: '192.0.2.1' },
      'https',
      'NOZOMI_FETCH_CLOSED',
    ]);
    expect(stderr).to.equal('');
  });
});
