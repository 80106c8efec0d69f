import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import express3 from 'nozomi/3';
import request, { type Response, type Test } from 'supertest';
import { muteDeprecations } from '../support/both';

const FILES = join(__dirname, '..', '..', 'fixtures', 'files');
const HELLO = join(FILES, 'hello.txt');

/** Sends a request to an application with this handler only. */
function answering(handler: express3.Handler, path = '/'): Test {
  const app = express3();
  app.get('*', handler);
  return request(app).get(path);
}

function cookiesOf({ headers }: Response): unknown {
  return headers['set-cookie'];
}

describe('nozomi/3, the response (§9.3)', () => {
  muteDeprecations();

  it('res.cookie keeps the cookies that were set before, also as a header [F-9.3-72]', async () => {
    const res = await answering((_req, res) => {
      res.cookie('a', '1').cookie('a', '1').set('Set-Cookie', 'b=2');
      res.setHeader('Set-Cookie', [...(res.getHeader('Set-Cookie') as string[]), 'c=3']);
      res.append('Set-Cookie', ['d=4', 'e=5']).append('X-Plain', 'x').append('X-Plain', 'y').send('set');
    });

    expect(cookiesOf(res)).to.deep.equal(['a=1; Path=/', 'a=1; Path=/', 'b=2', 'c=3', 'd=4', 'e=5']);
    expect(res.headers['x-plain']).to.equal('x, y');
  });

  it('res.clearCookie sends the maxAge of its options [F-9.3-73]', async () => {
    const res = await answering((_req, res) => res.clearCookie('a', { maxAge: 5000 }).send('cleared'));
    const [cookie = ''] = cookiesOf(res) as string[];

    expect(cookie).to.match(/^a=; Max-Age=5; Path=\/; Expires=/);
    expect(Date.parse(cookie.slice(cookie.indexOf('Expires=') + 8))).to.be.above(0);
  });

  it('rejects a malformed Content-Type with the message of Express 3', async () => {
    const app = express3();
    app.get('/', (_req, res) => res.set('Content-Type', 'text').json({}));
    app.use(((err, _req, res, _next) => res.end(err.message)) as express3.ErrorHandler);

    await request(app)
      .get('/')
      .buffer(true)
      .parse((res, done) => {
        res.setEncoding('utf8').on('data', (text: string) => done(null, text));
      })
      .expect(({ body }) => expect(body).to.equal('invalid media type'));
  });

  it('res.location resolves a relative target against the mount path, or the path of the request [F-9.3-76]', async () => {
    const [app, blog] = [express3(), express3()];
    blog.get('/:place/*', (req, res) => res.location(`${req.params.place}${req.params[0]}`).send(200));
    blog.get('/dots/x/', (_req, res) => res.location('../y').send(200));
    app.use('/blog', blog);

    await request(app).get('/blog/log/in').expect('Location', '/blog/login');
    await request(app).get('/blog/.%2F/edit').expect('Location', '/blog/.%2F/edit/edit');
    await request(app).get('/blog/http:%2F%2Fother.test%2F/x').expect('Location', 'http://other.test/x');
  });

  it('res.jsonp sends a script that calls the callback, with only safe characters in its name [F-9.3-83]', async () => {
    const tell: express3.Handler = (_req, res) => res.jsonp(201, 'a\u2028b');

    await answering(tell, '/?callback=go(1)').expect(
      201,
      `/**/ typeof go1 === 'function' && go1("a\\u2028b");`,
    );
    await answering(tell, '/?callback=a&callback=b').expect(/typeof a ===/);
    await answering(tell).expect(201, '"a\u2028b"').expect('Content-Type', 'application/json; charset=utf-8');
    await answering((_req, res) => res.jsonp(undefined), '/?callback=a').expect(
      "/**/ typeof a === 'function' && a();",
    );
  });

  it('res.attachment throws for a name that is not a string [F-9.3-86]', async () => {
    for (const name of [Number.NaN, null, 0, false])
      await answering((_req, res) => {
        expect(() => Reflect.apply(res.attachment, res, [name])).to.throw(
          TypeError,
          'filename must be a string',
        );
        res.send('caught');
      }).expect(200, 'caught');
  });

  it('res.type adds res.charset as text, also if it is no string [F-9.3-77]', () =>
    answering((_req, res) => {
      Object.assign(res, { charset: ['a b'] });
      res.type('text/plain').end();
    }).expect('Content-Type', 'text/plain; charset="a b"'));

  it('res.sendfile sends a file below the option root, with maxAge [F-9.3-87 F-9.3-88 F-9.3-89]', async () => {
    await answering((_req, res) => res.sendfile(HELLO))
      .expect('Content-Type', 'text/plain; charset=UTF-8')
      .expect('Cache-Control', 'public, max-age=0')
      .expect(200);
    await answering((_req, res) => res.sendfile('hello.txt', { root: FILES, maxAge: 60_000 }))
      .expect('Cache-Control', 'public, max-age=60')
      .expect(200);
    await answering((_req, res) => res.sendfile('../hello.txt', { root: join(FILES, 'shelf') })).expect(403);
    await answering((_req, res) => res.sendfile(FILES)).expect(404);
  });

  it('res.sendfile ignores If-Unmodified-Since and If-Match [F-9.3-87]', () =>
    answering((_req, res) => res.sendfile(HELLO))
      .set({ 'If-Unmodified-Since': 'Wed, 01 Jan 2020 00:00:00 GMT', 'If-Match': '"other"' })
      .expect(200));

  it('res.sendfile calls its callback when the file was sent [F-9.3-87]', async () => {
    const told = await new Promise((resolve, reject) => {
      answering((_req, res) => res.sendfile(HELLO, resolve))
        .expect(200)
        .catch(reject);
    });

    expect(told).to.equal(undefined);
  });

  it('res.sendfile keeps a Content-Type that was set, and sends dotfiles if the option hidden is true [F-9.3-87]', async () => {
    await answering((_req, res) => {
      res.set('Content-Type', 'x/own');
      res.sendfile(HELLO);
    }).expect('Content-Type', 'x/own');
    const hidden = { root: join(__dirname, '..', '..') };
    await answering((_req, res) => res.sendfile('.gitignore', hidden)).expect(404);
    await answering((_req, res) => res.sendfile('.gitignore', { ...hidden, hidden: true })).expect(200);
  });

  it('res.sendfile passes the error of a missing file to its callback, or to next [F-9.3-90]', async () => {
    await answering((_req, res) => res.sendfile('/none', (err) => res.send(200, `told ${err.code}`))).expect(
      'told ENOENT',
    );
    await answering((_req, res) => res.sendfile('/none')).expect(404);
  });

  it("res.sendfile responds 304 if the client's copy of the file is fresh [F-9.3-91]", async () => {
    const send: express3.Handler = (_req, res) => res.sendfile(HELLO);
    const { headers } = await answering(send);

    await answering(send)
      .set('If-None-Match', headers.etag as string)
      .expect(304);
  });

  it('res.download sends a file as a download, with its own name or another [F-9.3-92]', async () => {
    await answering((_req, res) => res.download(HELLO)).expect(
      'Content-Disposition',
      'attachment; filename="hello.txt"',
    );
    await answering((_req, res) => res.download(HELLO, 'x.txt')).expect(
      'Content-Disposition',
      'attachment; filename="x.txt"',
    );
    await answering((_req, res) =>
      res.download('/none', 'x', () => res.send(200, String(res.get('Content-Disposition')))),
    ).expect('undefined');
  });

  it('res.locals is a function whose properties only the views of this response receive [F-9.3-94]', async () => {
    const app = express3();
    app.engine('ejs', (_path, { a, b }, done) => done(null, `${a}${b}`));
    app.set('views', join(FILES, '..', 'views'));
    app.get('/', (_req, res) => {
      res.locals({ a: 1 });
      res.locals.b = 2;
      res.render('page.ejs');
    });
    app.get('/other', (_req, res) => res.render('page.ejs'));

    await request(app).get('/').expect('12');
    await request(app).get('/other').expect('undefinedundefined');
  });

  it('res.render passes the rendered view to its callback [F-9.3-95]', async () => {
    const app = express3();
    app.engine('ejs', (_path, { a }, done) => done(null, `a is ${a}`));
    app.set('views', join(FILES, '..', 'views'));
    app.get('/', (_req, res) =>
      res.render('page.ejs', { a: 1 }, (err, html) => res.send(201, `${err}: ${html}`)),
    );

    await request(app).get('/').expect(201, 'null: a is 1');
  });

  it('res.locals is assigned even if app.response has its own, so that a setter is called [F-9.3-94]', async () => {
    const app = express3();
    const own = { a: 1 };
    const given: unknown[] = [];
    Object.defineProperty(app.response, 'locals', { get: () => own, set: (value) => given.push(value) });
    app.get('/', (_req, res) => res.send(given.map((value) => value === own)));

    await request(app).get('/').expect(200, [true]);
  });

  it('res.render renders a view without res.locals if the options cannot have properties [F-9.3-95]', async () => {
    for (const options of [true, 5, Object.freeze({ a: 1 })]) {
      const app = express3();
      app.engine('ejs', (_path, { a, b }, done) => done(null, `${a} ${b}`));
      app.set('views', join(FILES, '..', 'views'));
      app.get('/', (_req, res) => {
        res.locals({ b: 2 });
        Reflect.apply(res.render, res, ['page.ejs', options]);
      });

      await request(app)
        .get('/')
        .expect(200, `${Object(options).a} undefined`);
    }
  });

  it('express.mime finds media types by extension, also those that an application defines', async () => {
    const { mime } = express3;
    mime.define({ 'text/x-nozomi': ['nozomi'] });

    expect([mime.lookup('/a/b.HTML'), mime.lookup('none', 'x/y'), mime.lookup('none')]).to.deep.equal([
      'text/html',
      'x/y',
      'application/octet-stream',
    ]);
    expect([mime.extension('text/css; charset=utf-8'), mime.extension('x/y')]).to.deep.equal([
      'css',
      undefined,
    ]);
    expect(mime.charsets.lookup('text/html')).to.equal('UTF-8');
    await answering((_req, res) => res.type('a.nozomi').send('x')).expect('Content-Type', /x-nozomi/);
  });

  for (const [env, setting, page, isLogged] of [
    ['production', 'development', 'Internal Server Error\n', true],
    ['development', 'production', 'Error: secret', true],
    ['test', 'development', 'Error: secret', false],
  ] as const) {
    it(`sends and logs errors as for NODE_ENV=${env}, whatever the setting env is`, () => {
      const program = `
        const http = require('node:http');
        const app = require('nozomi/3')();
        app.set('env', '${setting}').get('/', () => { throw new Error('secret'); });
        const server = app.listen(0, () => http.get({ port: server.address().port, agent: false }, (res) => {
          res.pipe(process.stdout);
          res.on('end', () => server.close());
        }));`;
      const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
        cwd: join(__dirname, '../..'),
        env: { ...process.env, NODE_ENV: env },
        encoding: 'utf8',
      });

      expect(stdout.slice(0, page.length)).to.equal(page);
      expect(stderr.includes('Error: secret')).to.equal(isLogged);
    });
  }

  it('sends an error with a status that has no reason phrase', async () => {
    const app = express3();
    app.get('/status', (_req, _res, next) => next(Object.assign(new Error('no'), { status: 799 })));
    app.get('/code', (_req, _res, next) => next(Object.assign(new Error('no'), { statusCode: 499 })));
    const { error } = console;
    console.error = () => {};
    try {
      await request(app).get('/status').expect(799);
      await request(app).get('/code').expect(499);
      await new Promise(setImmediate);
    } finally {
      console.error = error;
    }
  });
});
