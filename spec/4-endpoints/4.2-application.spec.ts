import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { get as httpGet, Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import express from 'express';
import framework from 'nozomi';
import request from 'supertest';
import { IMPLEMENTATIONS } from '../support/both';
import { braces, filesOf } from '../support/files';
import { type App, askBoth } from '../support/light';
import { serving } from '../support/serve';

type Engine = Parameters<App['engine']>[1];

describe('app.path() (§4.2)', () => {
  it('is empty for an application that is not mounted, otherwise the joined mount paths [F-4.2-54]', () => {
    const [app, blog, admin] = [framework(), framework(), framework()];
    app.use('/blog', blog);
    blog.use('/admin/:id', admin);

    expect([app, blog, admin].map((one) => one.path())).to.deep.equal(['', '/blog', '/blog/admin/:id']);
  });

  it('joins several mount paths with a comma [F-4.2-55]', () => {
    const [app, sub] = [framework(), framework()];
    app.use(['/x', '/y'], sub);

    expect(sub.path()).to.equal('/x,/y');
  });
});

describe('app.set(), app.get(), app.enable(), app.enabled() (§4.2)', () => {
  it('app.set stores a value and returns the application; app.get returns the value, or undefined [F-4.2-70 F-4.2-71]', () => {
    const app = framework();

    expect(app.get('title')).to.equal(undefined);
    expect(app.set('title', 'Nozomi')).to.equal(app);
    expect(app.get('title')).to.equal('Nozomi');
  });

  it('app.enable stores true, app.disable stores false [F-4.2-72 F-4.2-73]', () => {
    const app = framework();

    expect(app.enable('x')).to.equal(app);
    expect(app.get('x')).to.equal(true);
    expect(app.disable('x')).to.equal(app);
    expect(app.get('x')).to.equal(false);
  });

  for (const [value, isEnabled] of [
    [true, true],
    ['text', true],
    [1, true],
    [false, false],
    [undefined, false],
    [null, false],
    [0, false],
    ['', false],
  ] as const) {
    it(`app.enabled returns ${isEnabled}, and app.disabled ${!isEnabled}, for ${JSON.stringify(value) ?? 'undefined'} [F-4.2-74 F-4.2-75]`, () => {
      const app = framework().set('x', value);

      expect([app.enabled('x'), app.disabled('x')]).to.deep.equal([isEnabled, !isEnabled]);
    });
  }
});

describe('app.listen() (§4.2)', () => {
  it('listens on a free port by default, and returns the server of Node.js [F-4.2-57 F-4.2-58]', async () => {
    for (const args of [[], [0]]) {
      const server: Server = Reflect.apply(framework().listen, framework(), args);
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      server.close();

      expect(server).to.be.an.instanceOf(Server);
      expect(port).to.be.above(0);
    }
  });

  it('accepts port, host, backlog and callback [F-4.2-56]', async () => {
    const app = framework();
    app.get('/', (_req, res) => res.send('here'));
    const args = await new Promise<{ server: Server; given: unknown[] }>((resolve) => {
      const server = app.listen(0, '127.0.0.1', 16, (...given: unknown[]) => resolve({ server, given }));
    });
    try {
      expect(args.given).to.deep.equal([]);
      await request(args.server).get('/').expect('here');
    } finally {
      args.server.close();
    }
  });

  it('accepts the options of server.listen() of Node.js [F-4.2-56]', async () => {
    const app = framework();
    const server = (app.listen as (options: object) => Server).call(app, { port: 0, host: '127.0.0.1' });
    await once(server, 'listening');

    expect((server.address() as AddressInfo).address).to.equal('127.0.0.1');
    server.close();
  });

  (process.platform === 'win32' ? it.skip : it)('listens on a UNIX socket [F-4.2-59]', async () => {
    const app = framework();
    app.get('/', (req, res) => res.json([req.ip ?? null, req.ips, req.protocol]));
    const socketPath = join(filesOf({}), 'app.sock');
    const server = app.listen(socketPath);
    await once(server, 'listening');
    const body = await new Promise<string>((resolve, reject) => {
      httpGet({ socketPath, path: '/' }, (res) => res.setEncoding('utf8').on('data', resolve)).on(
        'error',
        reject,
      );
    });
    server.close();

    expect(JSON.parse(body)).to.deep.equal([null, [], 'http']);
  });

  it('calls the callback once with a listen error [F-4.2-60]', async () => {
    const told: unknown[] = [];
    await serving(createServer(), async (port) => {
      const server = framework().listen(port, '127.0.0.1', (err?: unknown) => told.push(err));
      await once(server, 'error');
      await serving(server, async () => undefined);
    });

    expect(told).to.have.length(1);
    expect(told[0]).to.have.property('code', 'EADDRINUSE');
  });

  it('emits a listen error if there is no callback [F-4.2-60]', async () => {
    await serving(createServer(), async (port) => {
      const server = framework().listen(port, '127.0.0.1');
      const [err] = await once(server, 'error');

      expect(server.listenerCount('error')).to.equal(0);
      expect(err).to.have.property('code', 'EADDRINUSE');
    });
  });

  it('does not pass a later error to the callback [F-4.2-60]', async () => {
    const told: unknown[][] = [];
    const server = framework().listen(0, '127.0.0.1', (...args: unknown[]) => told.push(args));
    await once(server, 'listening');
    server.emit('error', new Error('late'));
    server.close();

    expect(told).to.deep.equal([[]]);
  });
});

describe('app.engine() (§4.2)', () => {
  it('registers an engine for an extension, with or without a dot [F-4.2-67]', async () => {
    for (const extension of ['txt', '.txt']) {
      const app = framework().set('views', filesOf({ 'a.txt': 'Hello {name}' }));

      expect(app.engine(extension, braces)).to.equal(app);
      expect(await render(app, 'a.txt', { name: 'Ada' })).to.equal('Hello Ada');
    }
  });

  it('throws for an engine that is not a function [F-4.2-67]', () => {
    expect(() => framework().engine('txt', null as unknown as Engine)).to.throw(
      Error,
      'callback function required',
    );
  });

  it('app.render loads the package of an extension once if app.engine has registered no engine [F-4.2-68 F-4.2-69]', async () => {
    const app = framework().set('views', filesOf({ 'a.ejs': 'Hello <%= name %>' }));

    expect(await render(app, 'a.ejs', { name: 'Ada' })).to.equal('Hello Ada');
    const { engines } = app as unknown as { engines: Record<string, unknown> };
    expect(engines['.ejs']).to.be.a('function');
    engines['.ejs'] = (_path: string, _options: object, done: (err: null, html: string) => void) =>
      done(null, 'kept');
    expect(await render(app, 'a.ejs', {})).to.equal('kept');
  });

  it('app.render throws if the package of the extension is missing or is not an engine [F-4.2-68]', () => {
    const app = framework().set('views', filesOf({ 'a.depd': '', 'a.nowhere': '' }));

    expect(() => app.render('a.depd', () => undefined)).to.throw(
      'Module "depd" does not provide a view engine.',
    );
    expect(() => app.render('a.nowhere', () => undefined)).to.throw("Cannot find module 'nowhere'");
  });

  it('a sub-application uses the engines of its parent for extensions that have no engine in the sub-application [F-4.2-69]', async () => {
    const [app, sub] = [framework(), framework()];
    app.engine('txt', braces).use(sub);
    sub.set('views', filesOf({ 'a.txt': 'below' }));

    expect(await render(sub, 'a.txt', {})).to.equal('below');
  });
});

describe('app.render() (§4.2)', () => {
  it('throws for a directory of views that is not a string, as Express does [F-4.2-61]', () => {
    for (const implementation of Object.values(IMPLEMENTATIONS)) {
      for (const views of [undefined, null, 7, [undefined]]) {
        const app = implementation();
        app.set('views', views).engine('txt', () => undefined);

        expect(() => app.render('a.txt', () => undefined))
          .to.throw(TypeError)
          .with.property('code', 'ERR_INVALID_ARG_TYPE');
      }
    }
  });

  it('passes the HTML to the callback; locals of the call override _locals and app.locals [F-4.2-61]', async () => {
    const app = framework()
      .engine('txt', braces)
      .set('views', filesOf({ 'a.txt': '{a}{b}{c}' }));
    Object.assign(app.locals, { a: 'app', b: 'app', c: 'app' });

    const html = await render(app, 'a.txt', { a: 'call', _locals: { a: 'response', b: 'response' } });

    expect(html).to.equal('callresponseapp');
  });

  it('accepts a callback instead of locals, and calls it asynchronously also for a synchronous engine [F-4.2-61]', async () => {
    const app = framework().set('views', filesOf({ 'a.txt': '' }));
    app.engine('txt', (_path, _options, done) => done(null, 'sync'));
    const order: unknown[] = [];

    await new Promise<void>((resolve) => {
      app.render('a.txt', (_err: Error, html: string) => {
        order.push(html);
        resolve();
      });
      order.push('returned');
    });

    expect(order).to.deep.equal(['returned', 'sync']);
  });

  it('passes an error that lists the directories to the callback for a missing view [F-4.2-62]', () => {
    for (const [views, wanted] of [
      ['/one', 'directory "/one"'],
      [['/one'], 'directory "/one"'],
      [['/one', '/two', '/three'], 'directories "/one", "/two" or "/three"'],
    ] as const) {
      const { ours, theirs } = askBoth((app) => {
        let told: { message: string; view: { name: string; path: unknown } } | undefined;
        app.set('views', views).engine('txt', braces);
        app.render('nope.txt', (err: Error) => {
          told = err as never;
        });
        return [told?.message, told?.view.name, told?.view.path];
      });

      expect(ours).to.deep.equal([
        `Failed to lookup view "nope.txt" in views ${wanted}`,
        'nope.txt',
        undefined,
      ]);
      expect(ours).to.deep.equal(theirs);
    }
  });

  it('passes errors of the engine to the callback, also errors that it throws [F-4.2-62]', async () => {
    const app = framework().set('views', filesOf({ 'a.throws': '', 'a.fails': '' }));
    app.engine('throws', () => {
      throw new Error('thrown');
    });
    app.engine('fails', (_path, _options, done) => setImmediate(done, new Error('told')));

    expect(await render(app, 'a.throws', {}).catch(String)).to.equal('Error: thrown');
    expect(await render(app, 'a.fails', {}).catch(String)).to.equal('Error: told');
  });

  it('throws for a view name without an extension if there is no view engine [F-4.2-62]', () => {
    for (const create of [framework, express as unknown as typeof framework]) {
      expect(() => create().render('a', () => undefined)).to.throw(
        Error,
        'No default engine was specified and no extension was provided.',
      );
    }
  });

  it('passes an error to the callback for a view that is a directory [F-4.2-62]', () => {
    const app = framework()
      .engine('txt', braces)
      .set('views', filesOf({ 'a.txt/b': '' }));
    let told: unknown;
    app.render('a.txt', (err: Error) => {
      told = err;
    });

    expect(String(told)).to.include('Failed to lookup view "a.txt"');
  });

  it('caches the view if the local cache is true, without the setting view cache [F-4.2-64]', async () => {
    const app = framework()
      .engine('txt', braces)
      .set('views', filesOf({ 'a.txt': 'first' }));
    await render(app, 'a.txt', { cache: true });
    app.set('views', filesOf({ 'a.txt': 'second' }));

    expect(await render(app, 'a.txt', { cache: true })).to.equal('first');
    expect(await render(app, 'a.txt', {})).to.equal('second');
  });

  it('renders a view that the application put into app.cache [F-4.2-64]', () => {
    const { ours, theirs } = askBoth((app) => {
      const view = {
        render: (_options: object, done: (err: null, html: string) => void) => done(null, 'own'),
      };
      Object.assign((app as unknown as { cache: object }).cache, { mine: view });
      let html: unknown;
      app.render('mine', { cache: true }, (_err: Error, given: string) => {
        html = given;
      });
      return html;
    });

    expect([ours, theirs]).to.deep.equal(['own', 'own']);
  });

  it('caches views if NODE_ENV is production [F-4.2-65]', () => {
    const program = `
      const app = require('nozomi')();
      app.engine('txt', (path, options, done) => done(null, String(options.cache)));
      app.set('views', process.argv[1]);
      app.render('a.txt', (err, html) => console.log(html, Object.keys(app.cache)));`;
    const run = (NODE_ENV: string) =>
      execFileSync(process.execPath, ['-e', program, filesOf({ 'a.txt': '' })], {
        env: { ...process.env, NODE_ENV },
        encoding: 'utf8',
      });

    expect(run('production')).to.equal("true [ 'a.txt' ]\n");
    expect(run('development')).to.equal('false []\n');
  });
});

describe('the event mount (§6)', () => {
  it('is emitted on the sub-application after mounting, with the parent as argument [F-6-01 F-6-02 F-6-03]', () => {
    const [app, sub] = [framework(), framework()];
    const seen: unknown[] = [];
    sub.on('mount', (parent) =>
      seen.push([parent, sub.mountpath, (sub as unknown as { parent: unknown }).parent]),
    );

    app.use('/sub', sub);

    expect(seen).to.deep.equal([[app, '/sub', app]]);
  });
});

function render(app: App, view: string, locals: object): Promise<string> {
  return new Promise((resolve, reject) => {
    app.render(view, locals, (err: Error, html: string) => (err ? reject(err) : resolve(html)));
  });
}
