import { expect } from 'chai';
import express3 from 'nozomi/3';
import request from 'supertest';
import { muteDeprecations } from '../support/both';

/** @returns The result of `tell` for a request with these headers. */
async function asked(
  tell: (req: express3.Request) => unknown,
  headers: Record<string, string> = {},
  path = '/',
  set: (app: express3.Application) => void = () => {},
): Promise<unknown> {
  const app = express3();
  set(app);
  app.all('*', (req, res) => res.send({ told: tell(req) }));
  const { body } = await request(app).get(path).set(headers);
  return (body as { told?: unknown }).told;
}

describe('nozomi/3, the request (§9.3)', () => {
  muteDeprecations();

  it('req.query is not parsed again if it was set before the application [F-9.3-30]', async () => {
    const app = express3();
    app.stack.unshift({
      route: '',
      handle: (req: object, _res: unknown, next: () => void) => {
        Object.defineProperty(req, 'query', { value: { before: '1' }, configurable: true, writable: true });
        next();
      },
    });
    app.get('/', (req, res) => res.send(req.query));

    await request(app).get('/?a=1').expect({ before: '1' });
  });

  it('req.get() accepts the names that Express 3 accepts, and throws an error of V8 for others [F-9.3-49]', async () => {
    const values = (req: express3.Request): unknown[] =>
      ['', { toLowerCase: () => 'x-one' }, undefined, 1].map((name) => {
        try {
          return req.get(name as string) ?? 'undefined';
        } catch (error) {
          return String(error);
        }
      });
    expect(await asked(values, { 'X-One': '1' })).to.deep.equal([
      ...['undefined', '1'],
      "TypeError: Cannot read properties of undefined (reading 'toLowerCase')",
      'TypeError: name.toLowerCase is not a function',
    ]);
  });

  it('req.acceptedEncodings lists encodings in the order of the header; req.acceptsEncoding checks one', async () => {
    const tell = (req: express3.Request) => [req.acceptedEncodings, req.acceptsEncoding('gzip')];

    expect(await asked(tell, { 'Accept-Encoding': 'gzip, deflate' })).to.deep.equal([
      ['gzip', 'deflate'],
      true,
    ]);
    expect(await asked(tell, { 'Accept-Encoding': '' })).to.deep.equal([[], false]);
  });

  it('has the members of Express 5 except those that mean something else in Express 3', async () => {
    const told = await asked((req) => [req.hostname, req.acceptsLanguages('en')], {
      Host: 'parity.test:80',
      'Accept-Language': 'en',
    });

    expect(told).to.deep.equal(['parity.test', 'en']);
  });
});
