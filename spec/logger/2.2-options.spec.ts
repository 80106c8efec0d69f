import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import express from 'express';
import logger from 'nozomi/logger';
import request from 'supertest';
import { filesOf } from '../support/files';
import { serving } from '../support/serve';
import { Log } from './support/log';
import { ask, get, open } from './support/serve';

describe('logger(format, options) (L-2.2)', () => {
  it('without immediate the line is written once, after the response [L-2.2-01 L-4-18]', async () => {
    const log = new Log();
    const middleware = logger(':status', { stream: log });
    let before: number | undefined;

    await ask((req, res) =>
      middleware(req, res, () => {
        before = log.lines.length;
        res.end();
      }),
    );

    expect(before).to.equal(0);
    expect(await log.until(1)).to.deep.equal(['200\n']);
  });

  it('with immediate the line is written before the handler runs [L-2.2-02]', async () => {
    const log = new Log();
    const middleware = logger(':method', { stream: log, immediate: true });
    let before: string[] = [];

    await ask((req, res) =>
      middleware(req, res, () => {
        before = [...log.lines];
        res.end();
      }),
    );

    expect(before).to.deep.equal(['GET\n']);
    expect(log.lines).to.have.length(1);
  });

  it('with immediate a request that gets no response has a line too [L-2.2-03]', async () => {
    const log = new Log();
    const middleware = logger(':url', { stream: log, immediate: true });

    await serving(
      (req, res) => middleware(req, res, () => {}),
      async (at) => {
        const socket = await open(at);
        socket.write(get('/never'));
        await log.until(1);
        socket.destroy();
      },
    );

    expect(log.lines).to.deep.equal(['/never\n']);
  });

  it('with immediate the tokens of the response are - [L-2.2-04]', async () => {
    const log = new Log();
    const format = ':status :res[content-length] :response-time :total-time :bytes-sent :aborted';
    const middleware = logger(format, { stream: log, immediate: true });

    await ask((req, res) => middleware(req, res, () => res.end('hello')));

    expect(log.lines).to.deep.equal(['- - - - - -\n']);
  });

  it('without skip every request is logged [L-2.2-05]', async () => {
    const log = new Log();
    const app = express().use(logger(':status', { stream: log, skip: undefined as never }));

    await request(app).get('/');

    expect(await log.until(1)).to.deep.equal(['404\n']);
  });

  it('skip is called with the request and the response [L-2.2-06]', async () => {
    const log = new Log();
    const seen: unknown[] = [];
    const middleware = logger('x', {
      stream: log,
      skip(...args) {
        seen.push(...args);
        return false;
      },
    });
    let given: unknown[] = [];

    await ask((req, res) => {
      given = [req, res];
      middleware(req, res, () => res.end());
    });

    await log.until(1);
    expect(seen).to.have.length(2);
    expect(seen[0]).to.equal(given[0]);
    expect(seen[1]).to.equal(given[1]);
  });

  it('no line is written if skip returns a truthy value [L-2.2-07 L-4-19]', async () => {
    const log = new Log();
    const app = express().use(
      logger(':url', { stream: log, skip: (req) => (req.url === '/health' ? 'yes' : '') as never }),
    );

    await request(app).get('/health');
    await request(app).get('/other');

    expect(await log.until(1)).to.deep.equal(['/other\n']);
  });

  it('the default of stream is standard output [L-2.2-08]', async () => {
    const { write } = process.stdout;
    const written: unknown[] = [];
    const done = new Promise<void>((resolve) => {
      process.stdout.write = (chunk: unknown) => {
        written.push(chunk);
        resolve();
        return true;
      };
    });
    try {
      const middleware = logger('to stdout');
      await ask((req, res) => middleware(req, res, () => res.end()));
      await done;
    } finally {
      process.stdout.write = write;
    }

    expect(written).to.deep.equal(['to stdout\n']);
  });

  it('a file stream in append mode keeps its contents and receives the lines in order [L-2.2-09]', async () => {
    const file = join(filesOf({ 'access.log': 'earlier\n' }), 'access.log');
    const stream = createWriteStream(file, { flags: 'a' });
    const app = express().use(logger(':url', { stream }));

    for (const url of ['/1', '/2', '/3']) await request(app).get(url);
    await new Promise<void>((resolve) => stream.end(resolve));

    expect(readFileSync(file, 'utf8')).to.equal('earlier\n/1\n/2\n/3\n');
  });
});
