import { createServer } from 'node:http';
import { expect } from 'chai';
import express from 'express';
import logger from 'nozomi/logger';
import request from 'supertest';
import { heardDuring } from '../support/heard';
import { serving } from '../support/serve';
import { Log } from './support/log';
import { ask } from './support/serve';

describe('logger() (L-1)', () => {
  it('is the export of the module, a function with the parameters format and options [L-1-01]', () => {
    expect(logger).to.be.a('function');
    expect(logger).to.have.length(2);
  });

  it('returns middleware with the parameters request, response and next [L-1-02]', () => {
    const middleware = logger('tiny');

    expect(middleware).to.be.a('function');
    expect(middleware).to.have.length(3);
    expect(middleware.name).to.equal('logger');
  });

  it('writes one line for every request [L-1-03 L-0-01]', async () => {
    const log = new Log();
    const app = express();
    app.use(logger(':method :url', { stream: log }));
    app.get('/', (_req, res) => void res.send('hello'));

    await request(app).get('/');
    await request(app).head('/');
    await request(app).get('/missing');

    expect(await log.until(3)).to.deep.equal(['GET /\n', 'HEAD /\n', 'GET /missing\n']);
  });

  it('writes the line and a newline to the stream [L-1-04]', async () => {
    const log = new Log();
    const middleware = logger('written', { stream: log });

    await ask((req, res) => middleware(req, res, () => res.end()));

    expect(await log.until(1)).to.deep.equal(['written\n']);
  });

  it('writes method, URL, status and response time for these tokens [L-1-05]', async () => {
    const log = new Log();
    const middleware = logger(':method :url :status :response-time', { stream: log });

    await ask((req, res) => middleware(req, res, () => res.writeHead(202).end()), '/a?b=c');

    const [line] = await log.until(1);
    expect(line).to.match(/^GET \/a\?b=c 202 \d+\.\d{3}\n$/);
  });

  it('writes one line if immediate is true, and another logger one after the response [L-1-06]', async () => {
    const log = new Log();
    const app = express();
    app.use(logger('came :url :status', { stream: log, immediate: true }));
    app.use(logger('went :url :status', { stream: log }));
    app.get('/', (_req, res) => void res.send('hello'));

    await request(app).get('/');

    expect(await log.until(2)).to.deep.equal(['came / -\n', 'went / 200\n']);
  });

  it('causes no warning of too many listeners for twelve loggers on one response [L-1-06]', async () => {
    const log = new Log();
    const app = express();
    for (let i = 0; i < 12; i++) app.use(logger(`${i} :status :response-time`, { stream: log }));

    const warnings = await heardDuring('warning', async () => {
      await request(app).get('/');
      await log.until(12);
    });
    const lines = await log.until(12);
    expect(lines.map((line) => line.replace(/\d+\.\d{3}/, '<ms>'))).to.deep.equal(
      Array.from({ length: 12 }, (_, i) => `${i} 404 <ms>\n`),
    );
    expect(warnings).to.deep.equal([]);
  });

  it('writes all requests to one stream, and another logger only errors to its stream [L-1-07]', async () => {
    const [all, errors] = [new Log(), new Log()];
    const app = express();
    app.use(logger(':url :status', { stream: all }));
    app.use(logger(':url :status', { stream: errors, skip: (_req, res) => res.statusCode < 400 }));
    app.get('/', (_req, res) => void res.send('hello'));

    await request(app).get('/');
    await request(app).get('/missing');

    expect(await all.until(2)).to.deep.equal(['/ 200\n', '/missing 404\n']);
    expect(errors.lines).to.deep.equal(['/missing 404\n']);
  });

  it('returns middleware for app.use() [L-1-08]', async () => {
    const log = new Log();
    const app = express().use(logger(':url', { stream: log }));

    await request(app).get('/mounted');

    expect(await log.until(1)).to.deep.equal(['/mounted\n']);
  });

  it('returns a function that a server of Node.js can call with a callback [L-1-09]', async () => {
    const log = new Log();
    const middleware = logger(':method :url :status :res[content-length]', { stream: log });
    const server = createServer((req, res) => {
      middleware(req, res, (err) => {
        res.setHeader('Content-Length', 5);
        res.end(err ? 'error' : 'hello');
      });
    });

    const response = await serving(server, async (at) =>
      (await fetch(`http://127.0.0.1:${at}/plain`)).text(),
    );

    expect(response).to.equal('hello');
    expect(await log.until(1)).to.deep.equal(['GET /plain 200 5\n']);
  });
});
