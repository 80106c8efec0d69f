import { once } from 'node:events';
import { expect } from 'chai';
import express3 from 'nozomi/3';
import request from 'supertest';
import { muteDeprecations } from '../support/both';
import { serving } from '../support/serve';
import { thenable } from '../support/thenable';

describe('nozomi/3, the application', () => {
  muteDeprecations();

  proves('F-9.3-08');
  it('app.locals(object) does not copy __proto__', () => {
    const app = express3();
    app.locals(JSON.parse('{"__proto__": {"admin": true}}'));

    expect(app.locals.admin).to.equal(undefined);
  });

  it('requests have the members of Express 5 except those that mean something else in Express 3', async () => {
    const app = express3();
    app.get('/', (req, res) => res.send([req.hostname, req.acceptsLanguages('en')]));

    await request(app)
      .get('/')
      .set({ Host: 'parity.test:80', 'Accept-Language': 'en' })
      .expect(['parity.test', 'en']);
  });

  proves('F-9.3-50');
  it('req.accepts() without types returns undefined', async () => {
    const app = express3();
    app.get('/', (req, res) => res.send([req.accepts()]));

    await request(app).get('/').set('Accept', 'text/*').expect([null]);
  });

  proves('F-9.3-72');
  it('res.append adds to the headers that res.cookie, res.set or an earlier call has set', async () => {
    const app = express3();
    app.get('/', (_req, res) => {
      res.cookie('a', '1').set('Set-Cookie', 'b=2');
      res.append('Set-Cookie', ['d=4', 'e=5']).append('X-Plain', 'x').append('X-Plain', 'y').send('set');
    });

    const { headers } = await request(app).get('/');
    expect(headers['set-cookie']).to.deep.equal(['a=1; Path=/', 'b=2', 'd=4', 'e=5']);
    expect(headers['x-plain']).to.equal('x, y');
  });

  proves('F-9.3-83');
  it('res.jsonp calls the callback without arguments for undefined', async () => {
    const app = express3();
    app.get('/', (_req, res) => res.jsonp(undefined));

    await request(app).get('/?callback=a').expect("/**/ typeof a === 'function' && a();");
  });

  proves('F-9.3-14');
  it('app.listen listens, and emits the errors of a server of Node.js', async () => {
    await serving(express3(), async (_port, server) => {
      const second = express3().listen(server.address(), () => expect.fail('it cannot listen'));
      const [error] = await once(second, 'error');

      expect(error.code).to.equal('EADDRINUSE');
    });
  });

  it('app.use throws for a value that is not a handler', () => {
    const app = express3();

    expect(() => app.use(undefined as never)).to.throw(TypeError, 'app.use() requires a middleware function');
    expect(() => app.use('/x', {} as never)).to.throw(TypeError, 'app.use() requires a middleware function');
  });

  it('express.createServer() creates an application', async () => {
    const app = express3.createServer();
    app.get('/', (_req, res) => res.send('made'));

    await request(app).get('/').expect('made');
  });

  it('app.param passes the rejection of an async callback to next', async () => {
    const app = express3();
    const told: express3.ErrorHandler = (err, _req, res, _next) => res.send(500, err.message);
    app.param('id', async () => {
      throw new Error('rejected');
    });
    app.get('/:id', (_req, res) => res.send(200));
    app.use(told);

    await request(app).get('/1').expect(500, 'rejected');
  });

  it('does not await thenables that handlers return, because awaiting a query runs it again', async () => {
    const app = express3();
    let runs = 0;
    app.get('/', (_req, res) => {
      res.send('queried');
      return thenable(() => runs++);
    });

    await request(app).get('/').expect('queried');
    expect(runs).to.equal(0);
  });

  proves('F-9.3-90');
  it('res.sendfile calls its callback once if the connection breaks during the transfer', async () => {
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

    await request(app).get('/');
    expect(told).to.deep.equal(['ECONNRESET']);
  });

  proves('F-9.3-01');
  it('app.request and app.response may be primitive values, which are ignored', async () => {
    for (const name of ['request', 'response']) {
      const app = express3();
      Object.assign(app, { [name]: 5 });
      app.use('/mounted', express3());
      app.use((req, res) => res.end(`${typeof req.get} ${typeof res.send}`));
      const expected = name === 'request' ? 'undefined function' : 'function undefined';

      await request(app).get('/').expect(200, expected);
    }
  });
});
