import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import express3 from 'nozomi/3';
import request from 'supertest';
import { get, raw } from '../../parity/client/request';
import { muteDeprecations } from '../support/both';
import { play, textOf } from '../support/play';

describe('nozomi/3, unusual requests and errors (§9.3)', () => {
  muteDeprecations();

  it('matches a request target in absolute form [F-9.3-62]', async () => {
    const app = express3();
    app.use('/mount', (req, res) => res.send([req.url, req.originalUrl, req.path]));

    const [found, none] = await play(
      app,
      raw('GET http://parity.test/mount/a?b HTTP/1.1\r\nHost: parity.test\r\nConnection: close\r\n\r\n'),
      raw('GET * HTTP/1.1\r\nHost: parity.test\r\nConnection: close\r\n\r\n'),
    );

    expect(JSON.parse(textOf(found))).to.deep.equal([
      'http://parity.test/a?b',
      'http://parity.test/mount/a?b',
      '/a',
    ]);
    expect(none?.response.status).to.equal(404);
  });

  it('keeps a request target in absolute form that has no path', async () => {
    const app = express3();
    app.use((req, res) => res.send([req.url, req.originalUrl]));
    const target = 'http://parity.test?b';

    const [seen] = await play(
      app,
      raw(`GET ${target} HTTP/1.1\r\nHost: parity.test\r\nConnection: close\r\n\r\n`),
    );

    expect(JSON.parse(textOf(seen))).to.deep.equal([target, target]);
  });

  it('sends a 404 page that shows the path with markup escaped', () =>
    request(express3())
      .get('/<script>')
      .expect('X-Content-Type-Options', 'nosniff')
      .expect(404, /^Cannot GET \/(?:%3C|&lt;)script/));

  it('closes the connection for an error after the headers were sent', async () => {
    const app = express3();
    app.get('/late', (_req, res, next) => {
      res.write('late');
      next('an error that is text');
    });
    app.get('/over', (_req, res, next) => {
      res.end('over');
      next();
    });

    const { error } = console;
    console.error = () => {};
    const [late, over] = await play(app, get('/late'), get('/over'));
    console.error = error;

    expect(late?.outcome).not.to.equal('kept');
    expect(textOf(over)).to.equal('over');
  });

  it('skipping an error handler drops a falsy error', async () => {
    const skipped: express3.ErrorHandler = (err, _req, _res, next) => next(err);
    const [app, routed] = [express3(), express3()];
    app.use((_req, _res, next) => next(0));
    app.use(skipped);
    routed.get('/', (_req, _res, next) => next(0), skipped);

    for (const each of [app, routed]) {
      const listener: RequestListener = (req, res) => each(req, res, (err) => res.end(`ended ${err}`));
      await request(listener).get('/').expect(200, 'ended undefined');
    }
  });

  it('an error that a parameter callback throws goes to the error handlers [F-9.3-04]', async () => {
    const app = express3();
    const told: express3.ErrorHandler = (err, _req, res, _next) => res.send(500, `told ${err.message}`);
    app.param('id', () => {
      throw new Error('thrown');
    });
    app.get('/:id', (_req, res) => res.send('not reached'), told);

    await request(app).get('/1').expect(500, 'told thrown');
  });

  it('req.accepts compares the parameters of a media type [F-9.3-50]', async () => {
    const app = express3();
    app.get('/', (req, res) =>
      res.send(['text/html;level=1', 'text/html;level=2'].map((type) => String(req.accepts(type)))),
    );

    await request(app)
      .get('/')
      .set('Accept', 'text/html;level=1, image/*;q=bad')
      .expect(['text/html;level=1', 'undefined']);
  });

  it('req.accepts ignores the parameters of a type with a wildcard [F-9.3-50]', async () => {
    const app = express3();
    app.get('/', (req, res) => res.send([req.accepts('png', 'html'), req.accepts()]));

    await request(app).get('/').set('Accept', 'text/*').expect(['html', null]);
  });

  it('res.sendfile calls its callback once if the connection breaks during the transfer [F-9.3-90]', async () => {
    const app = express3();
    const told: unknown[] = [];
    app.get('/', (req, res) => {
      res.sendfile('/none', (err) => {
        told.push(err.code);
        req.socket.emit('error', new Error('too late'));
      });
      req.socket.on('error', () => undefined);
      req.socket.emit('error', Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    });

    await play(app, get('/'));
    expect(told).to.deep.equal(['ECONNRESET']);
  });
});
