import { execFileSync } from 'node:child_process';
import http from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import framework from 'nozomi';
import express3 from 'nozomi/3';
import request from 'supertest';
import { muteDeprecations } from '../support/both';
import { heardDuring } from '../support/heard';

const ROOT = join(__dirname, '..', '..');

/** Evaluates an expression in a process of its own. @returns Its value, as JSON restores it. */
function evaluate(program: string): unknown {
  const text = execFileSync(process.execPath, ['-e', `console.log(JSON.stringify(${program}))`], {
    cwd: ROOT,
  });
  return JSON.parse(text.toString());
}

describe('nozomi/3 and nozomi in one process', () => {
  muteDeprecations();

  proves('F-9.3-72');
  it('res.setHeader adds cookies in nozomi/3, and replaces them in nozomi', async () => {
    const [old, app] = [express3(), framework()];
    for (const each of [old, app] as framework.Express[]) {
      each.get('/', (_req, res) => {
        res.setHeader('Set-Cookie', 'a=1');
        res.setHeader('Set-Cookie', 'b=2');
        res.send('set');
      });
    }

    expect((await request(old).get('/')).headers['set-cookie']).to.deep.equal(['a=1', 'b=2']);
    expect((await request(app).get('/')).headers['set-cookie']).to.deep.equal(['b=2']);
  });

  it('nozomi/3 changes neither classes of Node.js nor the prototypes of nozomi', () => {
    const shape = `[http.IncomingMessage, http.ServerResponse, http.OutgoingMessage, http.Server, Function, Object]
      .map(({ prototype }) => Object.getOwnPropertyNames(prototype).map((name) => [
        name, String(Object.getOwnPropertyDescriptor(prototype, name).value)]))
      .concat([framework.request, framework.response, framework.application].map(Object.getOwnPropertyNames))`;
    const program = (load: string) => `(() => {
      const http = require('node:http');
      const framework = require('nozomi');
      ${load}
      return ${shape};
    })()`;
    const used = `const app = require('nozomi/3')();
      app.get('/', () => {}); app.use(framework()); framework().use(app);`;

    expect(evaluate(program(used))).to.deep.equal(evaluate(program('')));
  });

  it('nozomi/3 exports the same function to require and import', async () => {
    const imported = await import('nozomi/3');

    expect(imported.default).to.equal(require('nozomi/3'));
    expect(imported.default.default).to.equal(imported.default);
  });

  it('nozomi/3 warns of each deprecated member once per call site', async () => {
    const told = await heardDuring('deprecation', () => {
      for (let time = 0; time < 3; time++) {
        const app = express3();
        app.configure(() => undefined);
        app.del('/', (_req, res) => res.send(200));
      }
      express3().configure(() => undefined);
    });

    expect(told.map(({ namespace, message }) => `${namespace}: ${message}`)).to.deep.equal([
      "express: app.configure: Check app.get('env') in an if statement",
      'express: app.del: Use app.delete instead',
      "express: app.configure: Check app.get('env') in an if statement",
    ]);
  });
});

describe('nozomi/3 mounted in nozomi', () => {
  it('keeps the values in res.locals, except name and length, which its locals cannot store', async () => {
    const [app, old] = [framework(), express3()];
    old.get('/', (_req, res) => res.send([res.locals.user, res.locals.name]));
    app.use((_req, res, next) => {
      Object.assign(res.locals, { user: 'Ada', name: 'not stored', length: 7 });
      next();
    });
    app.use('/old', old as never);

    await request(app).get('/old').expect(200, ['Ada', 'locals']);
  });
});

describe('nozomi/3 mounted in Express', () => {
  for (const name of ['express3', 'express4', 'express'])
    it(`has its mount path as route and path(): ${name}`, () => {
      const parent = require(name)();
      const app = express3();
      parent.use('/old', app);

      expect([app.route, app.path()]).to.deep.equal(['/old', '/old']);
    });
});

describe('nozomi mounted in nozomi/3', () => {
  it('a router of nozomi gets req.baseUrl and req.params', async () => {
    const app = express3();
    const router = framework.Router();
    router.get('/user/:id', (req, res) => {
      res.status(201).json([req.params.id, req.baseUrl, req.url, req.originalUrl]);
    });
    app.use('/api', router);
    app.get('/after', (req, res) => res.send([req.url, req.host]));

    await request(app).get('/api/user/12?x').expect(201, ['12', '/api', '/user/12?x', '/api/user/12?x']);
    await request(app).get('/api/other').expect(404);
    await request(app).get('/after').set('Host', 'parity.test:80').expect(['/after', 'parity.test']);
  });

  it('an application of nozomi gets its own request and response, and later layers those of nozomi/3', async () => {
    const [app, api] = [express3(), framework()];
    const heard: unknown[] = [];
    api.on('mount', (parent: unknown) => heard.push(parent === app, api.mountpath, api.path()));
    api.get('/here', (req, res) => {
      res.json([
        req.host,
        req.query,
        req.accepts('png'),
        typeof res.locals,
        res.locals.user,
        req.app === api,
      ]);
    });
    api.use((_req, res, next) => {
      res.locals.added = 'in 5.x';
      next();
    });
    app.use((_req, res, next) => {
      res.locals({ user: 'ann' });
      next();
    });
    app.use('/api', api);
    app.get('/api/there', (req, res) =>
      res.send([req.app === app, typeof res.locals, res.locals.added, req.host]),
    );

    const asked = { Host: 'parity.test:80', Accept: 'text/html, application/json' };
    await request(app)
      .get('/api/here?a[b]=1')
      .set(asked)
      .expect(['parity.test:80', { 'a[b]': '1' }, false, 'object', 'ann', true]);
    await request(app).get('/api/there').set(asked).expect([true, 'function', 'in 5.x', 'parity.test']);
    expect(heard).to.deep.equal([true, '/api', '/api']);
    expect(() => api.route('/still')).not.to.throw();
  });

  it('error handlers of nozomi/3 receive the errors that handlers of nozomi throw or reject with', async () => {
    const [app, api] = [express3(), framework()];
    const told: express3.ErrorHandler = (err, req, res, _next) =>
      res.send(500, [err.message, req.url, req.app === app]);
    api.get('/thrown', () => {
      throw new Error('thrown');
    });
    api.get('/rejected', async () => {
      throw new Error('rejected');
    });
    app.use('/api', api);
    app.use(told);

    await request(app).get('/api/thrown').expect(500, ['thrown', '/api/thrown', true]);
    await request(app).get('/api/rejected').expect(500, ['rejected', '/api/rejected', true]);
  });
});

describe('nozomi/3 mounted in nozomi', () => {
  it('an application of nozomi/3 gets the request and response of Express 3, and later layers those of Express 5', async () => {
    const [app, old] = [framework(), express3()];
    app.use((_req, res, next) => {
      res.locals.user = 'ann';
      next();
    });
    old.use((_req, res, next) => {
      res.locals({ added: 'in 3.x' });
      next();
    });
    old.get('/here/*', (req, res) => {
      res.send(201, [
        req.host,
        req.params[0],
        req.query,
        res.locals.user,
        typeof res.locals,
        req.url,
        req.originalUrl,
      ]);
    });
    app.use('/old', old);
    app.get('/old/there', (req, res) => {
      res.json([req.host, req.url, req.app === app, typeof res.locals, res.locals.added, req.query]);
    });

    const Host = 'parity.test:80';
    await request(app)
      .get('/old/here/x?a[b]=1')
      .set({ Host })
      .expect(201, [
        'parity.test',
        'x',
        { a: { b: '1' } },
        'ann',
        'function',
        '/here/x?a[b]=1',
        '/old/here/x?a[b]=1',
      ]);
    await request(app)
      .get('/old/there?a[b]=1')
      .set({ Host })
      .expect([Host, '/old/there?a[b]=1', true, 'object', 'in 3.x', { 'a[b]': '1' }]);
  });

  it('an application of nozomi/3 has a path and a parent, and inherits settings and engines', async () => {
    const [app, old] = [framework(), express3()];
    app.engine('ejs', (_path, _values, done) => done(null, 'of the parent'));
    app
      .set('views', join(ROOT, 'fixtures', 'views'))
      .set('of parent', 'yes')
      .enable('trust proxy');
    const heard: unknown[] = [];
    old.on('mount', (parent: unknown) => heard.push(parent === app, old.path(), old.route));
    old.get('/', (req, res) => res.send([old.get('of parent'), req.protocol]));
    old.get('/login', (_req, res) => res.redirect('form'));
    old.get('/view', (_req, res) => {
      res.app.set('views', app.get('views'));
      res.render('page.ejs');
    });
    app.use('/old', old);

    await request(app).get('/old').set('X-Forwarded-Proto', 'https').expect(['yes', 'https']);
    await request(app).get('/old/login').expect('Location', '/old/form');
    await request(app).get('/old/view').expect('of the parent');
    expect(heard).to.deep.equal([true, '/old', '/old']);
  });

  it('error handlers of nozomi receive the errors of an application of nozomi/3', async () => {
    const [app, old] = [framework(), express3()];
    old.get('/', () => {
      throw new Error('of 3.x');
    });
    app.use('/old', old);
    app.use(((err, req, res, _next) => {
      res.status(500).json([err.message, req.url, req.app === app]);
    }) satisfies framework.ErrorRequestHandler);

    await request(app).get('/old').expect(500, ['of 3.x', '/old', true]);
  });

  it('an application of nozomi/3 serves requests of http.createServer(app)', async () => {
    const old = express3();
    old.get('/', (req, res) => res.send([req.param('a', 'none'), req.host]));

    for (const listener of [http.createServer(old), old])
      await request(listener).get('/?a=1').set('Host', 'parity.test').expect(['1', 'parity.test']);
  });
});
