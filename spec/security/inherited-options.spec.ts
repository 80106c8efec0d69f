/** Options on a prototype, such as those of a configuration class: Express 4 and 3 read them as well. */
import { expect } from 'chai';
import framework3 from 'nozomi/3';
import framework4 from 'nozomi/4';
import request from 'supertest';
import { muteDeprecations } from '../support/both';
import { loadExpress3 } from '../support/express3-original';

const express4 = require('express4') as typeof framework4;
const express3 = loadExpress3() as typeof framework3;

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const LONG = 'x'.repeat(30);

function verify(): never {
  throw new Error('refused');
}

type Parser = 'json' | 'urlencoded' | 'text' | 'raw';
type Case = readonly [parser: Parser, options: object, type: string, body: string];

const CASES: readonly Case[] = [
  ['json', { limit: 10 }, JSON_TYPE, `{"${LONG}":1}`],
  ['json', { verify }, JSON_TYPE, '{}'],
  ['json', { strict: false }, JSON_TYPE, '1'],
  ['json', { type: 'text/x' }, 'text/x', '{"a":1}'],
  ['urlencoded', { extended: true, limit: 10 }, FORM, `a=${LONG}`],
  ['urlencoded', { extended: true, verify }, FORM, 'a=1'],
  ['urlencoded', { extended: false, limit: 10 }, FORM, `a=${LONG}`],
  ['urlencoded', { extended: false, parameterLimit: 1 }, FORM, 'a=1&b=2'],
];

const CASES_4: readonly Case[] = [
  ...CASES,
  ['text', { limit: 10 }, 'text/plain', LONG],
  ['text', { verify }, 'text/plain', LONG],
  ['raw', { limit: 10 }, 'application/octet-stream', LONG],
];

/** Returns the status and the body that an application has read. */
async function read(
  framework: typeof framework4,
  [parser, options, type, body]: Case,
  of: (o: object) => object,
) {
  const app = framework();
  app.set('env', 'test');
  app.use(framework[parser](of(options)));
  app.use((req, res) => void res.json({ body: req.body }));
  app.use(((err, _req, res, _next) => void res.status(err.status).end()) as framework4.ErrorRequestHandler);
  const response = await request(app).post('/').type(type).send(body);
  return [response.status, response.body];
}

/** An object that has the options as getters of its class. */
function withGetters(options: object): object {
  class Configuration {}
  for (const [name, value] of Object.entries(options))
    Object.defineProperty(Configuration.prototype, name, { get: () => value });
  return new Configuration();
}

describe('options on a prototype', () => {
  muteDeprecations();

  for (const given of CASES_4) {
    const [parser, options] = given;

    proves('E4-G11');
    it(`nozomi/4 ${parser}() reads them as Express 4: ${Object.keys(options)}`, async () => {
      for (const of of [Object.create, withGetters]) {
        const expected = await read(express4, given, of);
        expect(await read(framework4, given, of)).to.deep.equal(expected);
        // Without the options, the result would be another one.
        expect(await read(framework4, given, () => ({ extended: true }))).not.to.deep.equal(expected);
      }
    });
  }

  for (const given of CASES) {
    const [parser, options] = given;

    proves('F-9.3-31');
    it(`nozomi/3 ${parser}() reads them as Express 3: ${Object.keys(options)}`, async () => {
      const [ours, theirs] = [framework3, express3] as unknown as [typeof framework4, typeof framework4];
      const expected = await read(theirs, given, Object.create);
      expect(await read(ours, given, Object.create)).to.deep.equal(expected);
      expect(await read(ours, given, () => ({}))).not.to.deep.equal(expected);
    });
  }

  it('nozomi/3 res.cookie() and res.clearCookie() send them as Express 3', async () => {
    const app = framework3();
    app.get('/', (_req, res) => {
      const options = Object.create({ httpOnly: true, secure: true, path: '/p' });
      res.cookie('a', '1', options).clearCookie('b', options).end();
    });

    const response = await request(app).get('/');

    expect(response.headers['set-cookie']).to.deep.equal([
      'a=1; Path=/p; HttpOnly; Secure',
      'b=; Path=/p; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure',
    ]);
  });
});
