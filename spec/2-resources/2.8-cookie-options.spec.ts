import { expect } from 'chai';
import cookieParser from 'cookie-parser';
import type { CookieOptions } from 'express';
import framework from 'nozomi';
import request from 'supertest';

async function responseTo(options?: Readonly<Record<string, unknown>>): Promise<request.Response> {
  const app = framework();
  app.set('env', 'test');
  app.use(cookieParser('secret'));
  app.get('/', (_req, res) => res.cookie('name', 'a b', options as CookieOptions).end());
  return request(app).get('/');
}

/** @returns The attributes of the Set-Cookie header, without the name and value of the cookie. */
async function attributesOf(options?: Readonly<Record<string, unknown>>): Promise<string[]> {
  const [cookie] = [(await responseTo(options)).headers['set-cookie'] ?? []].flat();
  return cookie?.split('; ').slice(1) ?? [];
}

async function refusalOf(options: Readonly<Record<string, unknown>>): Promise<string> {
  const { status, text } = await responseTo(options);
  return `${status} ${/<pre>(.*?)<br>/.exec(text)?.[1]}`;
}

describe('res.cookie(name, value, options) (§2.8)', () => {
  const ATTRIBUTES: ReadonlyArray<
    [title: string, options: Readonly<Record<string, unknown>> | undefined, string[]]
  > = [
    ['without options sends only Path=/ [F-2.8-18]', undefined, ['Path=/']],
    ['empty options add no attribute [F-2.8-18 F-2.8-02 F-2.8-07]', {}, ['Path=/']],
    ['domain sets Domain [F-2.8-01]', { domain: 'a.test' }, ['Domain=a.test', 'Path=/']],
    [
      'expires sets Expires to a date in GMT [F-2.8-06]',
      { expires: new Date(0) },
      ['Path=/', 'Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
    ],
    ['expires undefined makes a session cookie [F-2.8-07]', { expires: undefined }, ['Path=/']],
    ['expires 0 makes a session cookie [F-2.8-08]', { expires: 0 }, ['Path=/']],
    ['httpOnly sets HttpOnly [F-2.8-09]', { httpOnly: true }, ['Path=/', 'HttpOnly']],
    ['path sets Path [F-2.8-11]', { path: '/admin' }, ['Path=/admin']],
    ['path is / by default [F-2.8-11]', { path: null }, ['Path=/']],
    ['partitioned sets Partitioned [F-2.8-12]', { partitioned: true }, ['Path=/', 'Partitioned']],
    ['priority sets Priority [F-2.8-13]', { priority: 'high' }, ['Path=/', 'Priority=High']],
    ['secure sets Secure [F-2.8-14]', { secure: true }, ['Path=/', 'Secure']],
    ['sameSite true sets SameSite=Strict [F-2.8-16]', { sameSite: true }, ['Path=/', 'SameSite=Strict']],
    ['sameSite false sends nothing [F-2.8-16]', { sameSite: false }, ['Path=/']],
    ['sameSite sets SameSite to its value [F-2.8-17]', { sameSite: 'lax' }, ['Path=/', 'SameSite=Lax']],
    ['sameSite accepts none [F-2.8-17]', { sameSite: 'none' }, ['Path=/', 'SameSite=None']],
    ['maxAge null sends no Max-Age [F-2.8-10]', { maxAge: null }, ['Path=/']],
  ];
  for (const [title, options, wanted] of ATTRIBUTES) {
    it(title, async () => {
      expect(await attributesOf(options)).to.deep.equal(wanted);
    });
  }

  it('maxAge, in milliseconds, sets Max-Age in whole seconds, and Expires [F-2.8-10]', async () => {
    const before = Date.now();

    const [age, path, expires] = await attributesOf({ maxAge: 90_999, expires: new Date(0) });

    expect([age, path]).to.deep.equal(['Max-Age=90', 'Path=/']);
    const date = Date.parse(expires?.replace('Expires=', '') ?? '');
    expect(date).to.be.within(before + 90_999 - 1000, Date.now() + 90_999);
  });

  it('encode is encodeURIComponent by default [F-2.8-04]', async () => {
    const { headers } = await responseTo({});

    expect(headers['set-cookie']?.[0]).to.match(/^name=a%20b;/);
  });

  it('encode is called with the value and returns the text to send [F-2.8-03]', async () => {
    const { headers } = await responseTo({ encode: (value: string) => value.replace(' ', '_') });

    expect(headers['set-cookie']?.[0]).to.match(/^name=a_b;/);
  });

  it('throws if encode returns a promise [F-2.8-05]', async () => {
    expect(await refusalOf({ encode: async () => 'later' })).to.equal(
      '500 TypeError: argument val is invalid',
    );
  });

  it('signed adds a signature to the value [F-2.8-15]', async () => {
    const { headers } = await responseTo({ signed: true });

    expect(headers['set-cookie']?.[0]).to.match(/^name=s%3Aa%20b\.[\w%]+;/);
  });

  const REFUSED: ReadonlyArray<[title: string, options: Readonly<Record<string, unknown>>, option: string]> =
    [
      ['an unknown priority [F-2.8-13]', { priority: 'urgent' }, 'priority'],
      ['an unknown sameSite [F-2.8-17]', { sameSite: 'sometimes' }, 'sameSite'],
      ['a maxAge that is not a number [F-2.8-10]', { maxAge: 'soon' }, 'maxAge'],
      ['an invalid date [F-2.8-06]', { expires: new Date(Number.NaN) }, 'expires'],
      ['a path with an attribute in it [F-2.8-11]', { path: '/; Domain=evil.example' }, 'path'],
      ['a domain with a line break [F-2.8-01]', { domain: 'a\r\nb' }, 'domain'],
    ];
  for (const [title, options, option] of REFUSED) {
    it(`throws an error that names the option for ${title}`, async () => {
      expect(await refusalOf(options)).to.equal(`500 TypeError: option ${option} is invalid`);
    });
  }
});
