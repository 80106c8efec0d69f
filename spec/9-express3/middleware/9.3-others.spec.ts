import { createServer, type RequestListener } from 'node:http';
import { gunzipSync, inflateSync } from 'node:zlib';

import { expect } from 'chai';
import express3 from 'nozomi/3';
import logger from 'nozomi/logger';
import request from 'supertest';
import { get, post } from '../../../parity/client/request';
import { muteDeprecations } from '../../support/both';
import { chain, type Link, show } from '../../support/chain';
import { filesOf } from '../../support/files';
import { play } from '../../support/play';

describe('nozomi/3, express.compress() (§9.3)', () => {
  muteDeprecations();

  const text = 'hello '.repeat(500);
  const write: Link = (_req, res) => {
    res.setHeader('Content-Type', 'text/plain');
    res.end(text);
  };
  const ask = async (app: RequestListener, encoding: string) => {
    const [exchange] = await play(app, get('/', { 'Accept-Encoding': encoding }));
    return {
      encoding: exchange?.header('Content-Encoding'),
      vary: exchange?.header('Vary'),
      body: exchange?.response.body,
    };
  };

  it('compresses with gzip or deflate, whichever the client prefers [F-9.3-103]', async () => {
    const app = chain(express3.compress(), write);
    const [gzip, deflate, plain] = [
      await ask(app, 'gzip'),
      await ask(app, 'deflate'),
      await ask(app, 'identity'),
    ];

    expect([gzip.encoding, deflate.encoding, plain.encoding]).to.deep.equal(['gzip', 'deflate', undefined]);
    expect(plain.body?.toString()).to.equal(text);
    expect(gunzipSync(gzip.body as Buffer).toString()).to.equal(text);
    expect(inflateSync(deflate.body as Buffer).toString()).to.equal(text);
    expect(gzip.vary).to.equal('Accept-Encoding');
  });

  it('compresses the responses of later middleware only [F-9.3-104]', async () => {
    const before = chain(write, express3.compress());

    expect((await ask(before, 'gzip')).encoding).to.equal(undefined);
  });

  it('calls the option filter, whose default is compress.filter [F-9.3-103]', async () => {
    const app = chain(express3.compress({ filter: () => false }), write);

    expect((await ask(app, 'gzip')).encoding).to.equal(undefined);
    expect(express3.compress.filter).to.be.a('function');
  });
});

describe('nozomi/3, express.logger() (§9.3)', () => {
  muteDeprecations();

  const log = (): { lines: string[]; write(line: string): void } => {
    const lines: string[] = [];
    return { lines, write: (line) => void lines.push(line) };
  };
  const serve: Link = (_req, res) => res.end('hello');

  it('writes a line for each request, in the format combined by default [F-9.3-123 F-9.3-124]', async () => {
    const [plain, named] = [log(), log()];
    const app = chain(
      express3.logger({ stream: plain }),
      express3.logger({ format: 'default', stream: named }),
      serve,
    );

    await request(app).get('/x').set('User-Agent', 'spec');

    expect(plain.lines[0]).to.match(/^\S+ - - \[.+\] "GET \/x HTTP\/1\.1" 200 - "-" "spec"\n$/);
    expect(named.lines).to.deep.equal(plain.lines);
  });

  it('accepts the name of a format, a format string or a function [F-9.3-124]', async () => {
    const stream = log();
    const app = chain(
      express3.logger({ format: 'dev', stream }),
      express3.logger({ format: ':method :url', immediate: true, stream }),
      express3.logger({
        format: (_tokens, req) => `called ${req.url}`,
        skip: (req) => req.url === '/quiet',
        stream,
      }),
      serve,
    );

    await request(app).get('/x');
    await request(app).get('/quiet');

    expect(stream.lines.filter((line) => !line.includes('ms'))).to.deep.equal([
      'GET /x\n',
      'called /x\n',
      'GET /quiet\n',
    ]);
    expect(stream.lines.filter((line) => line.includes('ms'))).to.have.length(2);
  });

  it('accepts a format as only argument, and writes to standard output [F-9.3-124]', async () => {
    const { write } = process.stdout;
    const lines: unknown[] = [];
    process.stdout.write = ((line: unknown) => lines.push(line)) as never;
    const app = chain(express3.logger(':method only'), express3.logger(), serve);
    try {
      await request(app).get('/');
    } finally {
      process.stdout.write = write;
    }

    expect(lines).to.include('GET only\n').and.have.length(2);
  });

  it('has the tokens and formats of nozomi/logger [F-9.3-124]', () => {
    try {
      expect(express3.logger.token('spec-express3', () => 'x')).to.equal(express3.logger);
      expect(express3.logger.compile(':spec-express3')).to.be.a('function');
      expect(express3.logger).to.have.property('combined');
    } finally {
      // Remove the token, because other specs check which tokens the logger has.
      for (const one of [express3.logger, logger]) Reflect.deleteProperty(one, 'spec-express3');
    }
  });
});

describe('nozomi/3, express.methodOverride() (§9.3)', () => {
  muteDeprecations();

  const seen = show(({ method, originalMethod, body }) => [method, originalMethod, body]);
  const app = (key?: string) => chain(express3.json(), express3.methodOverride(key), seen);

  it('reads the method from the property _method of the body, or from the given property [F-9.3-126]', async () => {
    await request(app())
      .post('/')
      .send({ _method: 'delete', a: 1 })
      .expect(['DELETE', 'POST', { a: 1 }]);
    await request(app('verb')).post('/').send({ verb: 'put' }).expect(['PUT', 'POST', {}]);
    await request(app()).post('/').send({ _method: 'none-such' }).expect(['POST', 'POST', {}]);
  });

  it('keeps the method of a request without a body [F-9.3-126 F-9.3-127]', async () => {
    await request(chain(express3.methodOverride(), seen)).get('/').expect(['GET', 'GET', null]);
    await request(app())
      .post('/')
      .send([1])
      .expect(['POST', 'POST', [1]]);
  });

  it('prefers X-HTTP-Method-Override to the body [F-9.3-127]', async () => {
    await request(app())
      .post('/')
      .set('X-HTTP-Method-Override', 'PATCH')
      .send({ _method: 'delete' })
      .expect(['PATCH', 'POST', {}]);
    await request(app()).get('/').set('X-HTTP-Method-Override', 'put').expect(['PUT', 'GET', {}]);
  });
});

describe('nozomi/3, other middleware (§9.3)', () => {
  muteDeprecations();

  it('express.query() sets req.query if it is not set, and changes no prototype [F-9.3-30]', async () => {
    const known: Link<never> = (req: { query: unknown }, _res, next) => {
      req.query = 'known';
      next();
    };
    const query = show((req) => req.query);

    await request(chain(express3.query(), query))
      .get('/?a[b]=1&c=2')
      .expect({ a: { b: '1' }, c: '2' });
    await request(chain(express3.query(), query)).get('/').expect({});
    await request(chain(express3.query(), query))
      .get('/?a[__proto__][x]=1&a[toString]=1&__proto__[x]=1')
      .expect({});
    await request(chain(known, express3.query(), query))
      .get('/?a=1')
      .expect('"known"');
  });

  it('express.favicon() sends a file, bytes, or its default icon [F-9.3-01]', async () => {
    const file = `${filesOf({ 'favicon.ico': 'icon' })}/favicon.ico`;

    for (const icon of [file, Buffer.from('icon'), undefined]) {
      const res = await request(chain(express3.favicon(icon, { maxAge: 1000 }))).get('/favicon.ico');
      expect([res.type, res.get('Cache-Control')]).to.deep.equal(['image/x-icon', 'public, max-age=1']);
      expect(res.body.length).to.equal(icon ? 4 : 70);
    }
    await request(chain(express3.favicon())).get('/').expect(404);
  });

  it('express.errorHandler() sends an error page with its title [F-9.3-01]', async () => {
    const app = (title: string) => {
      express3.errorHandler.title = title;
      const handle = express3.errorHandler({ log: false });
      return createServer((req, res) => {
        handle(Object.assign(new Error('teapot'), { status: 418 }), req, res, () => {});
      });
    };

    const page = await request(app('Kitchen')).get('/').set('Accept', 'text/html');
    expect([page.status, page.text.includes('<h1>Kitchen</h1>')]).to.deep.equal([418, true]);
    const json = await request(app('Nozomi')).get('/').set('Accept', 'application/json');
    expect(json.body.error.message).to.equal('teapot');
  });

  it('express.timeout() responds 503 after the given time [F-9.3-01]', async () => {
    const res = await request(chain(express3.timeout(20), () => {})).get('/');

    expect([res.status, res.body.code]).to.deep.equal([503, 'ETIMEDOUT']);
  });

  it('express.responseTime() sends the duration in X-Response-Time [F-9.3-01]', async () => {
    const res = await request(
      chain(
        express3.responseTime(),
        show(() => 1),
      ),
    ).get('/');

    expect(res.get('X-Response-Time')).to.match(/^\d+\.\d{3}ms$/);
  });

  it('express.vhost() calls a handler or a server for the given host names [F-9.3-01]', async () => {
    const handler: Link = (_req, res) => res.end('handler');
    const server = createServer((_req, res) => res.end('server'));
    const app = chain(
      express3.vhost('*.a.test', handler as never),
      express3.vhost(/^b\..*$/, server),
      (_req, res) => res.end('none'),
    );

    for (const [host, response] of Object.entries({
      'x.a.test': 'handler',
      'X.y.A.test:80': 'handler',
      'a.test': 'none',
      'x.aatest': 'none',
      'b.test': 'server',
    }))
      await request(app).get('/').set('Host', host).expect(200, response);
  });

  it('express.limit() responds 413 to a longer Content-Length, and closes the connection of a longer chunked body [F-9.3-01]', async () => {
    const app = chain(
      express3.limit('5b'),
      express3.limit(0),
      express3.json(),
      show((req) => req.body),
    );

    await request(app).get('/').expect({});
    await request(app).post('/').type('json').send('[1,2]').expect(200, [1, 2]);
    await request(app).post('/').type('json').send('[1,2,3]').expect(413);
    expect(() => express3.limit('much')).to.throw('limit() bytes required');

    const type = { 'Content-Type': 'application/json' };
    const [exchange] = await play(app, post('/', ['[1,', '2,3,4,5]'], type));
    expect([exchange?.response.status, exchange?.outcome]).to.deep.equal([undefined, 'closed']);
  });

  it('express.staticCache() calls next() [F-9.3-01]', async () => {
    const app = chain(
      express3.staticCache({ maxObjects: 1 }),
      show(() => 'next'),
    );

    await request(app).get('/').expect(200, '"next"').expect('X-Cache', 'MISS');
    expect((await request(app).post('/')).headers).not.to.have.property('x-cache');
    expect((await request(app).get('/').set('Range', 'bytes=0-')).headers).not.to.have.property('x-cache');
  });
});
