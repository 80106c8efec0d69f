import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import express from 'express';
import framework from 'nozomi';
import framework3 from 'nozomi/3';
import framework4 from 'nozomi/4';
import request from 'supertest';
import { get } from '../../parity/client/request';
import type { Setting } from '../../src/application/settings';
import { type Bytes, type Framework, playBoth } from '../support/both';
import { braces, filesOf } from '../support/files';
import { inside } from '../support/inside';

const { settings } = inside<typeof import('../../src/application/settings')>('application/settings');

type App = ReturnType<typeof framework>;
type Members = { settings: Record<string, unknown> };

describe('app.set(), app.get(), app.enable(), app.disable() (§2.2)', () => {
  it('app.set accepts any name; app.get(name) and app.set(name) return the value [F-2.2-01 F-2.2-02]', () => {
    const app = framework();
    const secret = { any: 'value' };
    app.set('my own', secret).set('__proto__', 'text').set('nothing', undefined);

    expect(app.get('my own')).to.equal(secret);
    expect(Reflect.apply(app.set, app, ['my own'])).to.equal(secret);
    expect(app.get('__proto__')).to.equal('text');
    expect(app.get('nothing')).to.equal(undefined);
    expect(app.get('constructor')).to.equal(undefined);
  });

  it('app.enable stores true, app.disable stores false [F-2.2-66 F-2.2-67]', () => {
    const app = framework();

    expect(app.enable('x').get('x')).to.equal(true);
    expect(app.disable('x').get('x')).to.equal(false);
  });

  it('app.settings has no prototype, and its keys have the order of Express [F-2.2-01]', () => {
    const [ours, theirs] = [framework(), express()].map((app) => (app as unknown as Members).settings);

    expect(Reflect.ownKeys(ours ?? {})).to.deep.equal(Reflect.ownKeys(theirs ?? {}));
    expect(Object.getPrototypeOf(ours)).to.equal(null);
  });
});

describe('defaults of settings (§2.2)', () => {
  const defaults: ReadonlyArray<[id: string, name: string, value: unknown]> = [
    ['F-2.2-03', 'case sensitive routing', undefined],
    ['F-2.2-12', 'etag', 'weak'],
    ['F-2.2-14', 'jsonp callback name', 'callback'],
    ['F-2.2-16', 'json escape', undefined],
    ['F-2.2-22', 'json replacer', undefined],
    ['F-2.2-25', 'json spaces', undefined],
    ['F-2.2-28', 'query parser', 'simple'],
    ['F-2.2-34', 'strict routing', undefined],
    ['F-2.2-39', 'subdomain offset', 2],
    ['F-2.2-41', 'trust proxy', false],
    ['F-2.2-44', 'views', `${process.cwd()}/views`],
    ['F-2.2-52', 'view engine', undefined],
    ['F-2.2-55', 'x-powered-by', true],
  ];

  for (const [id, name, value] of defaults) {
    it(`${name} is ${JSON.stringify(value) ?? 'undefined'} by default [${id}]`, () => {
      expect(framework().get(name)).to.equal(value);
    });
  }

  it('env is "development" and view cache is undefined if NODE_ENV is not set [F-2.2-09 F-2.2-48]', () => {
    const app = inEnvironment(undefined);

    expect(app.get('env')).to.equal('development');
    expect(app.get('view cache')).to.equal(undefined);
  });

  it('env is NODE_ENV, and view cache true in production [F-2.2-10 F-2.2-47]', () => {
    expect(inEnvironment('staging').get('env')).to.equal('staging');
    expect(inEnvironment('production').get('view cache')).to.equal(true);
  });
});

describe('settings of a sub-application (§2.2)', () => {
  /** @returns `inherited` if a sub-application has the `value` that its parent has set, otherwise its own value. */
  function seenBelow(create: () => App, name: string, value: unknown, env: string): unknown {
    const [parent, sub] = [inEnvironment(env, create), inEnvironment(env, create)];
    parent.set(name, value);
    parent.use(sub);
    return sub.get(name) === value ? 'inherited' : sub.get(name);
  }
  // For each setting, a value that differs from its default.
  const values: Readonly<Record<string, unknown>> = {
    'case sensitive routing': true,
    env: 'other',
    etag: 'strong',
    'jsonp callback name': 'cb',
    'json escape': true,
    'json replacer': ['a'],
    'json spaces': 2,
    'my own': 'value',
    'query parser': 'extended',
    'strict body limit': true,
    'strict host': true,
    'strict paths': true,
    'strict routing': true,
    'subdomain offset': 3,
    'trust proxy': 1,
    view: class {},
    'view cache': 'on',
    'view engine': 'ejs',
    views: '/elsewhere',
    'web bodies': true,
    'x-powered-by': 'yes',
  };
  const ids: Readonly<Record<string, string>> = {
    'case sensitive routing': 'F-2.2-06',
    env: 'F-2.2-62',
    etag: 'F-2.2-58',
    'jsonp callback name': 'F-2.2-59',
    'json escape': 'F-2.2-21',
    'json replacer': 'F-2.2-24',
    'json spaces': 'F-2.2-27',
    'my own': 'F-2.2-65',
    'query parser': 'F-2.2-60',
    'strict body limit': 'F-2.2-65',
    'strict host': 'F-2.2-65',
    'strict paths': 'F-2.2-65',
    'strict routing': 'F-2.2-37',
    'subdomain offset': 'F-2.2-61',
    'trust proxy': 'F-2.2-42',
    view: 'F-2.2-64',
    'view cache': 'F-2.2-50 F-2.2-51',
    'view engine': 'F-2.2-54',
    views: 'F-2.2-64',
    'web bodies': 'F-2.2-65',
    'x-powered-by': 'F-2.2-63',
  };

  for (const [name, value] of Object.entries(values)) {
    const { default: own, yields } = (settings as Record<string, Setting>)[name] ?? {};
    for (const env of ['production', 'development']) {
      const isInherited = yields || own?.(env) === undefined;
      it(`${name} is ${isInherited ? '' : 'not '}inherited from the parent in ${env} [${ids[name]}]`, () => {
        const seen = seenBelow(framework, name, value, env);

        if (isInherited) expect(seen).to.equal('inherited');
        else expect(seen).to.equal(own?.(env));
        if (name !== 'view')
          expect(seen).to.deep.equal(seenBelow(express as typeof framework, name, value, env));
      });
    }
  }

  it('the specs above cover every setting of the settings table [F-2.2-65]', () => {
    expect(Object.keys(values)).to.include.members(Object.keys(settings));
  });

  it('trust proxy keeps the value that the sub-application has set, even the default [F-2.2-43]', () => {
    const [parent, sub] = [framework(), framework()];
    sub.set('trust proxy', false);
    parent.set('trust proxy', true);
    parent.use(sub);

    expect(sub.get('trust proxy')).to.equal(false);
  });

  it("trust proxy keeps the sub-application's value if the parent has set none [F-2.2-42]", () => {
    const [parent, sub] = [framework(), framework()];
    Reflect.deleteProperty((parent as unknown as Members).settings, 'trust proxy fn');
    parent.use(sub);

    expect(Object.keys((sub as unknown as Members).settings)).to.include('trust proxy');
  });

  it('later changes of the parent apply until the sub-application sets its own value [F-2.2-65]', () => {
    const [parent, sub] = [framework(), framework()];
    parent.use(sub);
    parent.set('title', 'parent');

    expect(sub.get('title')).to.equal('parent');
    expect(sub.set('title', 'sub').get('title')).to.equal('sub');
    expect(parent.get('title')).to.equal('parent');
  });

  it('inherited settings apply to the routing of a sub-application mounted before its routes [F-2.2-07 F-2.2-37]', async () => {
    const [app, sub] = [framework(), framework()];
    app.enable('case sensitive routing').enable('strict routing').use(sub);
    sub.get('/foo', (_req, res) => res.send('foo'));

    await request(app).get('/foo').expect(200);
    await request(app).get('/Foo').expect(404);
    await request(app).get('/foo/').expect(404);
  });

  it('inherited settings do not apply to routes defined before mounting [F-2.2-08 F-2.2-38]', async () => {
    const [app, sub] = [framework(), framework()];
    sub.get('/foo', (_req, res) => res.send('foo'));
    app.enable('case sensitive routing').enable('strict routing').use(sub);

    expect(sub.get('strict routing')).to.equal(true);
    await request(app).get('/Foo').expect(200);
    await request(app).get('/foo/').expect(200);
  });
});

describe('effects of settings (§2.2)', () => {
  it('by default paths match in any letter case, with or without a trailing slash [F-2.2-04 F-2.2-35]', async () => {
    const app = framework();
    app.get('/Foo', (_req, res) => res.send('foo'));

    await request(app).get('/foo/').expect(200, 'foo');
  });

  it('case sensitive routing distinguishes /Foo from /foo [F-2.2-05]', async () => {
    const app = framework().enable('case sensitive routing');
    app.get('/Foo', (_req, res) => res.send('upper'));
    app.get('/foo', (_req, res) => res.send('lower'));

    await request(app).get('/Foo').expect('upper');
    await request(app).get('/foo').expect('lower');
  });

  it('strict routing distinguishes /foo from /foo/ [F-2.2-36]', async () => {
    const app = framework().enable('strict routing');
    app.get('/foo/', (_req, res) => res.send('directory'));
    app.get('/foo', (_req, res) => res.send('file'));

    await request(app).get('/foo/').expect('directory');
    await request(app).get('/foo').expect('file');
  });

  it('etag applies to dynamic responses only [F-2.2-13]', async () => {
    const app = framework().disable('etag');
    app.get('/dynamic', (_req, res) => res.send('hello'));
    app.use(framework.static(filesOf({ 'a.txt': 'hello' })));

    expect((await request(app).get('/dynamic')).headers).not.to.have.property('etag');
    expect((await request(app).get('/a.txt')).headers).to.have.property('etag');
  });

  it('jsonp callback name says which query parameter has the name of the callback [F-2.2-15]', async () => {
    const app = framework().set('jsonp callback name', 'fn');
    app.get('/', (_req, res) => res.jsonp({ a: 1 }));

    const res = await request(app).get('/?fn=show&callback=other');

    expect(res.text).to.equal(`/**/ typeof show === 'function' && show({"a":1});`);
  });

  for (const [id, method] of [
    ['F-2.2-17', 'json'],
    ['F-2.2-18', 'jsonp'],
    ['F-2.2-19', 'send'],
  ] as const) {
    it(`json escape writes <, > and & as escape sequences in res.${method}() [${id}]`, async () => {
      const app = framework().enable('json escape');
      app.get('/', (_req, res) => res[method]({ '&': '<script>' }));

      const res = await request(app).get('/');

      expect(res.text).to.equal('{"\\u0026":"\\u003cscript\\u003e"}');
    });
  }

  it('without json escape, res.json() sends <, > and & unchanged [F-2.2-20]', async () => {
    const app = framework();
    app.get('/', (_req, res) => res.json({ '&': '<script>' }));

    await request(app).get('/').expect('{"&":"<script>"}');
  });

  it('json replacer selects and changes values of a JSON response [F-2.2-23]', async () => {
    const app = framework().set('json replacer', (key: string, value: unknown) =>
      key === 'secret' ? undefined : value,
    );
    app.get('/', (_req, res) => res.json({ name: 'Ada', secret: 1 }));

    await request(app).get('/').expect('{"name":"Ada"}');
  });

  it('json spaces indents a JSON response by a number of spaces or by a string [F-2.2-26]', async () => {
    const app = framework();
    app.get('/:spaces', (req, res) => {
      app.set('json spaces', req.params.spaces === 'tab' ? '\t' : 2);
      res.json({ a: 1 });
    });

    await request(app).get('/tab').expect('{\n\t"a": 1\n}');
    await request(app).get('/two').expect('{\n  "a": 1\n}');
  });

  it('query parser false leaves req.query empty [F-2.2-29]', async () => {
    const app = framework().disable('query parser');
    app.get('/', (req, res) => res.json([req.query, Object.getPrototypeOf(req.query)]));

    expect((await request(app).get('/?a=1')).body).to.deep.equal([{}, null]);
  });

  it('query parser simple and true parse with node:querystring [F-2.2-30]', async () => {
    for (const value of ['simple', true]) {
      const app = framework().set('query parser', value);
      app.get('/', (req, res) => res.json(req.query));

      const res = await request(app).get('/?a=1&a=2&b[c]=3');

      expect(res.body).to.deep.equal({ a: ['1', '2'], 'b[c]': '3' });
    }
  });

  it('query parser extended gives nested objects and arrays [F-2.2-31]', async () => {
    const app = framework().set('query parser', 'extended');
    app.get('/', (req, res) => res.json(req.query));

    const res = await request(app).get('/?a[b][c]=1&d[]=2&d[]=3&hasOwnProperty=4');

    expect(res.body).to.deep.equal({ a: { b: { c: '1' } }, d: ['2', '3'], hasOwnProperty: '4' });
  });

  it('a query parser function receives the whole query string, or null without one [F-2.2-32]', async () => {
    const app = framework().set('query parser', (query: string | null) => ({ query }));
    app.get('/', (req, res) => res.json(req.query));

    expect((await request(app).get('/?a=1&b[]=%20')).body).to.deep.equal({ query: 'a=1&b[]=%20' });
    expect((await request(app).get('/')).body).to.deep.equal({ query: null });
  });

  for (const [id, name, value, message] of [
    ['F-2.2-33', 'query parser', 'bogus', 'unknown value for query parser function: bogus'],
    ['F-2.2-33', 'query parser', 1, 'unknown value for query parser function: 1'],
    ['F-2.2-12', 'etag', 'bogus', 'unknown value for etag function: bogus'],
    ['F-2.2-12', 'etag', null, 'unknown value for etag function: null'],
  ] satisfies Array<[id: string, name: keyof framework.SettingsMap, value: unknown, message: string]>) {
    it(`app.set throws for ${name} with ${JSON.stringify(value)}, and keeps the former value [${id}]`, () => {
      const app = framework();
      const before = app.get(`${name} fn`);

      expect(() => app.set(name, value as unknown)).to.throw(TypeError, message);
      expect(() => express().set(name, value)).to.throw(TypeError, message);
      expect(app.get(`${name} fn`)).to.equal(before);
    });
  }

  it('subdomain offset is the number of labels that req.subdomains skips [F-2.2-40]', async () => {
    const app = framework().set('subdomain offset', 3);
    app.get('/', (req, res) => res.json(req.subdomains));

    const res = await request(app).get('/').set('Host', 'b.a.example.co.uk');

    expect(res.body).to.deep.equal(['a', 'b']);
  });

  it('views is one directory, or several that res.render() searches in order [F-2.2-45 F-2.2-46]', async () => {
    const [first, second] = [filesOf({ 'a.html': '1a' }), filesOf({ 'a.html': '2a', 'b.html': '2b' })];
    const app = framework().engine('html', braces).set('views', [first, second]);
    app.get('/:view', (req, res) => res.render(req.params.view as string));

    await request(app).get('/a.html').expect('1a');
    await request(app).get('/b.html').expect('2b');
    app.set('views', second);
    await request(app).get('/a.html').expect('2a');
  });

  it('view cache makes the application look a view up only once [F-2.2-49]', async () => {
    const app = framework().engine('html', braces).enable('view cache');
    app.set('views', filesOf({ 'a.html': 'first' }));
    app.get('/', (_req, res) => res.render('a.html'));

    await request(app).get('/').expect('first');
    app.set('views', filesOf({ 'a.html': 'second' }));
    await request(app).get('/').expect('first');
    app.disable('view cache');
    await request(app).get('/').expect('second');
  });

  it('view engine is the extension for view names without one, with or without a dot [F-2.2-53]', async () => {
    for (const extension of ['html', '.html']) {
      const app = framework().engine('html', braces).set('view engine', extension);
      app.set('views', filesOf({ 'a.html': 'found', 'dir/index.html': 'index' }));
      app.get('/:view', (req, res) => res.render(req.params.view as string));

      await request(app).get('/a').expect('found');
      await request(app).get('/dir').expect('index');
    }
  });

  it('x-powered-by sends the header X-Powered-By [F-2.2-56]', async () => {
    const app = framework();

    expect((await request(app).get('/')).headers).to.have.property('x-powered-by', 'Nozomi');
  });

  it('X-Powered-By is not sent if x-powered-by is disabled [F-2.2-57]', async () => {
    const app = framework().disable('x-powered-by');

    expect((await request(app).get('/')).headers).not.to.have.property('x-powered-by');
  });

  for (const [series, create] of [
    ['nozomi', framework],
    ['nozomi/4', framework4],
    ['nozomi/3', framework3],
  ] as const) {
    describe(`x-powered-by of ${series}`, () => {
      const build = (value?: unknown) => {
        const app = (create as unknown as typeof framework)();
        if (value !== undefined) app.set('x-powered-by', value as boolean);
        // An Express 4 application without a handler sends no header.
        return app.use((_req, _res, next) => next());
      };
      const sentBy = async (app: ReturnType<typeof build>) =>
        (await request(app).get('/')).headers['x-powered-by'];

      it('as a text is the value of the header', async () => {
        expect(await sentBy(build('Express'))).to.equal('Express');
      });

      it('as another truthy value sends the name of the framework, and as a falsy value nothing', async () => {
        for (const value of [undefined, true, 1, {}, ['Express']])
          expect(await sentBy(build(value)), `${value}`).to.equal('Nozomi');
        for (const value of [false, 0, '', null])
          expect(await sentBy(build(value)), `${value}`).to.equal(undefined);
        expect(await sentBy(build('Express').enable('x-powered-by'))).to.equal('Nozomi');
        expect(await sentBy(build('Express').disable('x-powered-by'))).to.equal(undefined);
      });

      it('as a text is also sent by mounted applications, unless they have their own', async () => {
        expect(await sentBy(build('Express').use(build()))).to.equal('Express');
        expect(await sentBy(build('Express').use(build().use(build())))).to.equal('Express');
        expect(await sentBy(build('Express').use(build('inner')))).to.equal('inner');
        expect(await sentBy(build(false).use(build()))).to.equal('Nozomi');
      });

      it('cannot be a text that a header cannot contain, and keeps its value', async () => {
        const app = build();
        for (const text of ['a\r\nX-Evil: 1', 'a\nb', '\0', '\u007f', '\u010a'])
          expect(() => app.set('x-powered-by', text), JSON.stringify(text))
            .to.throw(TypeError, 'invalid text for x-powered-by')
            .with.property('code', 'NOZOMI_SETTING_VALUE');

        expect(await sentBy(app)).to.equal('Nozomi');
      });
    });
  }
});

describe('overridden app.get(), app.set() and app.enabled() (§2.2)', () => {
  type Members = Record<'get' | 'set' | 'enabled', (...args: unknown[]) => unknown>;

  for (const member of ['get', 'set', 'enabled'] as const) {
    it(`${member}: is called for the same settings in the same order as in Express, and its values apply [F-2.2-01]`, async () => {
      const calls: Record<string, unknown[]> = {};
      const build = (framework: Framework): RequestListener => {
        const app = framework();
        app.set('views', '/none').set('view engine', 'none');
        app.get('/send', (_req, res) => res.send('text'));
        app.get('/json', (_req, res) => res.json({ a: '<' }));
        app.get('/jsonp', (_req, res) => res.jsonp({ a: 1 }));
        app.get('/file', (_req, res) => res.sendFile(__filename));
        app.get('/request', (req, res) => {
          res.end([req.ip, req.protocol, req.hostname, req.subdomains, req.query.a].join());
        });
        app.get('/fail', () => {
          throw new Error('on purpose');
        });
        const own = app as unknown as Members;
        const { [member]: original } = own;
        calls[framework === express ? 'express' : 'build'] = [];
        const seen = calls[framework === express ? 'express' : 'build'] as unknown[];
        own[member] = function (this: unknown, ...args: unknown[]) {
          if (args.length !== 1) return Reflect.apply(original, this, args);
          seen.push(args[0]);
          if (args[0] === 'json spaces') return 2;
          if (args[0] === 'env') return 'test';
          if (args[0] === 'subdomain offset') return 1;
          return args[0] === 'x-powered-by' ? false : Reflect.apply(original, this, args);
        };
        return app;
      };
      const paths = ['/send', '/json', '/jsonp?callback=a', '/file', '/request?a=1', '/fail', '/none'];

      const came = await playBoth(build, ...paths.map((path) => get(path)));

      const own = new Set(['strict host', 'strict paths']);
      expect(calls.build?.filter((name) => !own.has(name as string))).to.deep.equal(calls.express);
      expect(came.build.map(withoutStack)).to.deep.equal(came.reference.map(withoutStack));
    });
  }
});

/** Removes the error page and its Content-Length, because the stack on the page differs between the implementations. */
function withoutStack(bytes: Bytes): Bytes {
  const page = bytes.find((one) => one.includes('Error: on purpose'));
  return page ? bytes.filter((one) => one !== page && !one.startsWith('Content-Length')) : bytes;
}

/** @returns An application that was created while NODE_ENV was `env`. */
function inEnvironment(env: string | undefined, create: () => App = framework): App {
  const before = process.env.NODE_ENV;
  if (env === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = env;
  try {
    return create();
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}
