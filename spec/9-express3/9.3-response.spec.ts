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

  it('res.status sets the status, and can be chained [F-9.3-68]', () =>
    answering((_req, res) => res.status(404).send('lost')).expect(404, 'lost'));

  it('res.set sets one header or several, and res.get reads them [F-9.3-69 F-9.3-70]', () =>
    answering((_req, res) => {
      res.set('X-One', 1).header({ 'X-Two': '2', 'X-List': ['a', 3] });
      res.send([res.get('x-one'), res.get('X-Two'), res.get('X-List')]);
    })
      .expect('X-One', '1')
      .expect(['1', '2', ['a', '3']]));

  it('res.cookie sets a cookie with path, maxAge in milliseconds and signature [F-9.3-71]', async () => {
    const res = await answering((req, res) => {
      Object.assign(req, { secret: 'keyboard cat' });
      res
        .cookie('a', '1')
        .cookie('b', '2', { maxAge: 60_000 })
        .cookie('c', 'tobi', { signed: true })
        .send('set');
    });
    const [plain, aged, signed] = cookiesOf(res) as string[];

    expect(plain).to.equal('a=1; Path=/');
    expect(aged).to.match(/^b=2; Max-Age=60; Path=\/; Expires=/);
    expect(signed).to.equal('c=s%3Atobi.k%2FMBGA3LV%2FDe%2B0YTROxcLuurjbOQXyaa2veNodQBZc4; Path=/');
  });

  it('res.cookie throws for a signed cookie without a secret [F-9.3-71]', () =>
    answering((_req, res) => res.cookie('a', '1', { signed: true })).expect(
      500,
      /connect\.cookieParser\(&quot;secret&quot;\) required for signed cookies/,
    ));

  it('res.cookie keeps the cookies that were set before, also as a header [F-9.3-72]', async () => {
    const res = await answering((_req, res) => {
      res.cookie('a', '1').cookie('a', '1').set('Set-Cookie', 'b=2');
      res.setHeader('Set-Cookie', [...(res.getHeader('Set-Cookie') as string[]), 'c=3']);
      res.append('Set-Cookie', ['d=4', 'e=5']).append('X-Plain', 'x').append('X-Plain', 'y').send('set');
    });

    expect(cookiesOf(res)).to.deep.equal(['a=1; Path=/', 'a=1; Path=/', 'b=2', 'c=3', 'd=4', 'e=5']);
    expect(res.headers['x-plain']).to.equal('x, y');
  });

  it('res.clearCookie clears a cookie with its path [F-9.3-73]', async () => {
    const res = await answering((_req, res) => res.clearCookie('a', { path: '/admin' }).send('cleared'));

    expect(cookiesOf(res)).to.deep.equal(['a=; Path=/admin; Expires=Thu, 01 Jan 1970 00:00:00 GMT']);
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

  it('res.redirect redirects with 302, or with the given status [F-9.3-74]', async () => {
    await answering((_req, res) => res.redirect('/there'))
      .expect(302, 'Found. Redirecting to /there')
      .expect('Location', '/there');
    await answering((_req, res) => res.redirect(301, '/there')).expect(301);
    await answering((_req, res) => res.redirect('/there', 303)).expect(303);
    await answering((_req, res) => res.redirect('/<there>'))
      .set('Accept', 'text/html')
      .expect('<p>Found. Redirecting to <a href="/&lt;there&gt;">/&lt;there&gt;</a></p>');
    await answering((_req, res) => res.redirect('/there'))
      .set('Accept', 'image/png')
      .expect(302, {});
  });

  it('res.redirect does not link a javascript: target in the page [F-9.3-74]', () =>
    answering((_req, res) => res.redirect('javascript://x/%0aalert(1)'))
      .set('Accept', 'text/html')
      .expect(302, '<p>Found. Redirecting to javascript://x/%0aalert(1)</p>'));

  it('res.redirect("back") redirects to the Referer, or to / [F-9.3-75]', async () => {
    await answering((_req, res) => res.redirect('back'))
      .set('Referer', '/from')
      .expect('Location', '/from');
    await answering((_req, res) => res.redirect('back')).expect('Location', '/');
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

  it('res.send sends strings with the charset utf-8, or the one of res.charset [F-9.3-77]', async () => {
    await answering((_req, res) => res.send('text')).expect('Content-Type', 'text/html; charset=utf-8');
    await answering((_req, res) => {
      res.charset = 'x-own';
      res.type('text/plain').end('text');
    }).expect('Content-Type', 'text/plain; charset=x-own');
    await answering((_req, res) => {
      res.charset = 'x-own';
      res.set('Content-Type', 'text/plain; charset=latin1').end('text');
    }).expect('Content-Type', 'text/plain; charset=latin1');
  });

  for (const [what, body, type, text] of [
    ['text', '<p>ä</p>', 'text/html; charset=utf-8', '<p>ä</p>'],
    ['an object', { a: 1 }, 'application/json; charset=utf-8', '{"a":1}'],
    ['a list', [1, 2], 'application/json; charset=utf-8', '[1,2]'],
    ['true', true, 'application/json; charset=utf-8', 'true'],
    ['null', null, undefined, ''],
    ['nothing', undefined, undefined, ''],
  ] as const) {
    it(`res.send sends ${what} [F-9.3-78]`, async () => {
      const res = await answering((_req, res) => {
        res.app.set('json spaces', 0);
        res.send(body);
      }).buffer();

      expect([res.status, res.headers['content-type'], res.text ?? '']).to.deep.equal([200, type, text]);
    });
  }

  it('res.send responds 304 without a body if the ETag matches [F-9.3-78]', async () => {
    const app = express3();
    app.get('/', (_req, res) => res.send('hello'));
    const { headers } = await request(app).get('/');
    const res = await request(app)
      .get('/')
      .set('If-None-Match', headers.etag as string);

    expect([res.status, res.text, res.headers['content-type']]).to.deep.equal([304, '', undefined]);
  });

  it('res.send sends no body for HEAD [F-9.3-78]', async () => {
    const app = express3();
    app.get('/', (_req, res) => res.send('hello'));
    const { headers } = await request(app).head('/').expect(200);

    expect(headers['content-length']).to.equal('5');
  });

  it('res.send sends a status alone with its reason phrase as the body [F-9.3-79]', async () => {
    await answering((_req, res) => res.send(404))
      .expect(404, 'Not Found')
      .expect('Content-Type', /^text\/plain/);
    await answering((_req, res) => res.type('html').send(500))
      .expect(500, 'Internal Server Error')
      .expect('Content-Type', /html/);
    await answering((_req, res) => res.send(204)).expect(204, '');
  });

  it('res.send accepts a status and a body in either order [F-9.3-80]', async () => {
    await answering((_req, res) => res.send(201, 'made')).expect(201, 'made');
    await answering((_req, res) => res.send('made', 201)).expect(201, 'made');
    await answering((_req, res) => res.send(500, { a: 1 })).expect(500, { a: 1 });
  });

  it('res.send sends a Buffer as application/octet-stream [F-9.3-81]', () =>
    answering((_req, res) => res.send(Buffer.from('bytes')))
      .expect('Content-Type', 'application/octet-stream')
      .expect(200));

  it('res.json sends JSON, and accepts a status before or after the value [F-9.3-82]', async () => {
    await answering((_req, res) => res.json({ a: 1 })).expect(200, { a: 1 });
    await answering((_req, res) => res.json(500, { a: 1 })).expect(500, { a: 1 });
    await answering((_req, res) => res.json({ a: 1 }, 201)).expect(201, { a: 1 });
    await answering((_req, res) => res.json(201, 202)).expect(202, '201');
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

  it('res.type accepts an extension, a file name or a media type, and falls back to octet-stream [F-9.3-84]', async () => {
    for (const [type, header] of [
      ['png', 'image/png'],
      ['.css', 'text/css'],
      ['logo.png', 'image/png'],
      ['a/b', 'a/b'],
      ['none', 'application/octet-stream'],
    ] as const) {
      for (const method of ['type', 'contentType'] as const) {
        await answering((_req, res) => {
          res[method](type).end();
        }).expect('Content-Type', header);
      }
    }
  });

  it('res.format calls the handler of an accepted type, otherwise default, or responds 406 [F-9.3-85]', async () => {
    const forms: express3.Handler = (_req, res) =>
      res.format({ text: () => res.send('text'), json: () => res.send({ a: 1 }) });

    await answering(forms).set('Accept', 'application/json').expect('Vary', 'Accept').expect({ a: 1 });
    await answering(forms).expect('text').expect('Content-Type', 'text/plain; charset=utf-8');
    await answering(forms).set('Accept', 'image/png').expect(406);
    await answering((_req, res) => res.format({ json: () => 0, default: () => res.send('default') }))
      .set('Accept', 'image/png')
      .expect('default');
  });

  it('res.attachment sends Content-Disposition: attachment with a file name, and sets Content-Type [F-9.3-86]', async () => {
    await answering((_req, res) => res.attachment().send('x')).expect('Content-Disposition', 'attachment');
    await answering((_req, res) => res.attachment('/a/logo.png').send(Buffer.from('x')))
      .expect('Content-Disposition', 'attachment; filename="logo.png"')
      .expect('Content-Type', 'image/png');
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

  it('res.links appends to the header Link [F-9.3-93]', () =>
    answering((_req, res) => res.links({ next: '/2' }).links({ last: '/5' }).send(200)).expect(
      'Link',
      '</2>; rel="next", </5>; rel="last"',
    ));

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

  it('res.vary adds missing names', () =>
    answering((_req, res) => res.vary('A').vary(['A', 'B']).vary().vary([]).send(200)).expect(
      'Vary',
      'A, B',
    ));

  it('res.headerSent is true after the headers were sent, and listeners of the event header run before', () =>
    answering((_req, res) => {
      res.on('header', () => res.setHeader('X-Listened', 'yes'));
      res.on('finish', () => undefined);
      res.set('X-Before', String(res.headerSent)).send(200);
    })
      .expect('X-Before', 'false')
      .expect('X-Listened', 'yes'));

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
