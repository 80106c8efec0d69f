import { expect } from 'chai';
import cookieParser from 'cookie-parser';
import type { CookieOptions } from 'express';
import framework from 'nozomi';
import request from 'supertest';

async function answerTo(options?: Readonly<Record<string, unknown>>): Promise<request.Response> {
  const app = framework();
  app.set('env', 'test');
  app.use(cookieParser('secret'));
  app.get('/', (_req, res) => res.cookie('name', 'a b', options as CookieOptions).end());
  return request(app).get('/');
}

/** The attributes of the cookie, without its name and value. */
async function attributesOf(options?: Readonly<Record<string, unknown>>): Promise<string[]> {
  const [cookie] = [(await answerTo(options)).headers['set-cookie'] ?? []].flat();
  return cookie?.split('; ').slice(1) ?? [];
}

async function refusalOf(options: Readonly<Record<string, unknown>>): Promise<string> {
  const { status, text } = await answerTo(options);
  return `${status} ${/<pre>(.*?)<br>/.exec(text)?.[1]}`;
}

describe('§2.8 options of a cookie', () => {
  const ATTRIBUTES: ReadonlyArray<
    [title: string, options: Readonly<Record<string, unknown>> | undefined, string[]]
  > = [
    ['F-2.8-18 without options there is a path only', undefined, ['Path=/']],
    ['F-2.8-18 F-2.8-02 F-2.8-07 options that are not given send nothing', {}, ['Path=/']],
    ['F-2.8-01 domain is the domain', { domain: 'a.test' }, ['Domain=a.test', 'Path=/']],
    [
      'F-2.8-06 expires is a date in GMT',
      { expires: new Date(0) },
      ['Path=/', 'Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
    ],
    ['F-2.8-07 without expires the cookie lasts for the session', { expires: undefined }, ['Path=/']],
    ['F-2.8-08 expires 0 lasts for the session', { expires: 0 }, ['Path=/']],
    ['F-2.8-09 httpOnly keeps it from scripts', { httpOnly: true }, ['Path=/', 'HttpOnly']],
    ['F-2.8-11 path is the path', { path: '/admin' }, ['Path=/admin']],
    ['F-2.8-11 path is / by default', { path: null }, ['Path=/']],
    ['F-2.8-12 partitioned partitions it', { partitioned: true }, ['Path=/', 'Partitioned']],
    ['F-2.8-13 priority is a word', { priority: 'high' }, ['Path=/', 'Priority=High']],
    ['F-2.8-14 secure keeps it to HTTPS', { secure: true }, ['Path=/', 'Secure']],
    ['F-2.8-16 sameSite true is strict', { sameSite: true }, ['Path=/', 'SameSite=Strict']],
    ['F-2.8-16 sameSite false sends nothing', { sameSite: false }, ['Path=/']],
    ['F-2.8-17 sameSite is a word', { sameSite: 'lax' }, ['Path=/', 'SameSite=Lax']],
    ['F-2.8-17 sameSite may be none', { sameSite: 'none' }, ['Path=/', 'SameSite=None']],
    ['F-2.8-10 maxAge null is no age', { maxAge: null }, ['Path=/']],
  ];
  for (const [title, options, wanted] of ATTRIBUTES) {
    it(title, async () => {
      expect(await attributesOf(options)).to.deep.equal(wanted);
    });
  }

  it('F-2.8-10 maxAge is in milliseconds from now: Max-Age in whole seconds, and Expires to match', async () => {
    const before = Date.now();

    const [age, path, expires] = await attributesOf({ maxAge: 90_999, expires: new Date(0) });

    expect([age, path]).to.deep.equal(['Max-Age=90', 'Path=/']);
    const date = Date.parse(expires?.replace('Expires=', '') ?? '');
    expect(date).to.be.within(before + 90_999 - 1000, Date.now() + 90_999);
  });

  it('F-2.8-04 encode is encodeURIComponent by default', async () => {
    const { headers } = await answerTo({});

    expect(headers['set-cookie']?.[0]).to.match(/^name=a%20b;/);
  });

  it('F-2.8-03 encode makes the value', async () => {
    const { headers } = await answerTo({ encode: (value: string) => value.replace(' ', '_') });

    expect(headers['set-cookie']?.[0]).to.match(/^name=a_b;/);
  });

  it('F-2.8-05 encode may not answer later', async () => {
    expect(await refusalOf({ encode: async () => 'later' })).to.equal(
      '500 TypeError: argument val is invalid',
    );
  });

  it('F-2.8-15 signed signs the value', async () => {
    const { headers } = await answerTo({ signed: true });

    expect(headers['set-cookie']?.[0]).to.match(/^name=s%3Aa%20b\.[\w%]+;/);
  });

  const REFUSED: ReadonlyArray<[title: string, options: Readonly<Record<string, unknown>>, option: string]> =
    [
      ['F-2.8-13 another priority', { priority: 'urgent' }, 'priority'],
      ['F-2.8-17 another sameSite', { sameSite: 'sometimes' }, 'sameSite'],
      ['F-2.8-10 a maxAge that is no number', { maxAge: 'soon' }, 'maxAge'],
      ['F-2.8-06 a date that is none', { expires: new Date(Number.NaN) }, 'expires'],
      ['F-2.8-11 a path with an attribute in it', { path: '/; Domain=evil.example' }, 'path'],
      ['F-2.8-01 a domain with a line break', { domain: 'a\r\nb' }, 'domain'],
    ];
  for (const [title, options, option] of REFUSED) {
    it(`${title} is refused, and named`, async () => {
      expect(await refusalOf(options)).to.equal(`500 TypeError: option ${option} is invalid`);
    });
  }
});
