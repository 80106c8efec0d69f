import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import express from 'express';
import framework from 'nozomi';
import framework3 from 'nozomi/3';
import framework4 from 'nozomi/4';
import request from 'supertest';
import { get } from '../../parity/client/request';
import { type Bytes, type Framework, playBoth } from '../support/both';
import { inside } from '../support/inside';
import { MOUNTED } from './2.2-settings.scenarios';

const { settings } = inside<typeof import('../../src/application/settings')>('application/settings');

proves('F-2.2-65');
it('the scenarios of mounted applications cover every setting of the settings table', () => {
  expect([...Object.keys(MOUNTED), 'view']).to.include.members(Object.keys(settings));
});

describe('the setting x-powered-by', () => {
  for (const [series, create] of [
    ['nozomi', framework],
    ['nozomi/4', framework4],
    ['nozomi/3', framework3],
  ] as const) {
    describe(series, () => {
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

describe('overridden app.get(), app.set() and app.enabled()', () => {
  type Members = Record<'get' | 'set' | 'enabled', (...args: unknown[]) => unknown>;

  for (const member of ['get', 'set', 'enabled'] as const) {
    proves('F-2.2-01');
    it(`${member}: is called for the same settings in the same order as in Express, and its values apply`, async () => {
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

      const actual = await playBoth(build, ...paths.map((path) => get(path)));

      const own = new Set(['strict host', 'strict paths']);
      expect(calls.build?.filter((name) => !own.has(name as string))).to.deep.equal(calls.express);
      expect(actual.build.map(withoutStack)).to.deep.equal(actual.reference.map(withoutStack));
    });
  }
});

/** Removes the error page and its Content-Length, because the stack on the page differs between the implementations. */
function withoutStack(bytes: Bytes): Bytes {
  const page = bytes.find((one) => one.includes('Error: on purpose'));
  return page ? bytes.filter((one) => one !== page && !one.startsWith('Content-Length')) : bytes;
}
