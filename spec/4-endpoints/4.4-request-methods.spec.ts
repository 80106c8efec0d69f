import { expect } from 'chai';
import framework from 'nozomi';
import request from 'supertest';
import { askBoth, lightRequest } from '../support/light';

type Offers = Array<string | string[]>;
type Negotiate = 'accepts' | 'acceptsCharsets' | 'acceptsEncodings' | 'acceptsLanguages' | 'is';

describe('req.accepts() and similar methods (§4.4)', () => {
  const rows: ReadonlyArray<
    [ids: string, member: Negotiate, header: string | undefined, offers: Offers, response: unknown]
  > = [
    ['F-4.4-01', 'accepts', 'text/html, application/json;q=0.5', ['application/json'], 'application/json'],
    ['F-4.4-02', 'accepts', 'text/html', ['html'], 'html'],
    ['F-4.4-02', 'accepts', 'text/*', ['html'], 'html'],
    ['F-4.4-04', 'accepts', 'text/html, application/json', [['json', 'html']], 'html'],
    ['F-4.4-04', 'accepts', 'text/html', [['json'], 'html'] as Offers, false],
    ['F-4.4-05', 'accepts', 'text/html;q=0.1, application/json', ['html', 'json'], 'json'],
    ['F-4.4-05', 'accepts', 'text/html;q=0.1, application/json', [], ['application/json', 'text/html']],
    ['F-4.4-06', 'accepts', 'text/*;q=0.5, application/json', ['html', 'json'], 'json'],
    ['F-4.4-06', 'accepts', '*/*', ['json', 'html'], 'json'],
    ['F-4.4-06', 'accepts', undefined, ['json', 'html'], 'json'],
    ['F-4.4-07 F-7-10', 'accepts', 'text/html', ['json'], false],
    ['F-4.4-07', 'accepts', 'text/html;q=0', ['html'], false],
    ['F-4.4-07', 'accepts', 'text/html', ['no-such-extension'], false],
    ['F-4.4-08', 'acceptsCharsets', 'utf-8;q=0.2, iso-8859-1', ['utf-8', 'iso-8859-1'], 'iso-8859-1'],
    ['F-4.4-08', 'acceptsCharsets', '*', ['utf-8'], 'utf-8'],
    ['F-4.4-08', 'acceptsCharsets', 'utf-8', [], ['utf-8']],
    ['F-4.4-09', 'acceptsCharsets', 'utf-8', ['utf-7'], false],
    ['F-4.4-10', 'acceptsEncodings', 'gzip;q=0.5, br', ['gzip', 'br'], 'br'],
    ['F-4.4-10', 'acceptsEncodings', 'gzip', ['identity'], 'identity'],
    ['F-4.4-10', 'acceptsEncodings', 'gzip, br;q=0.1', [], ['gzip', 'br', 'identity']],
    ['F-4.4-11', 'acceptsEncodings', 'gzip', ['br'], false],
    ['F-4.4-11', 'acceptsEncodings', 'gzip, identity;q=0', ['identity'], false],
    ['F-4.4-12', 'acceptsLanguages', 'de;q=0.5, en', ['de', 'en'], 'en'],
    ['F-4.4-12', 'acceptsLanguages', 'en-GB', ['en'], 'en'],
    ['F-4.4-12', 'acceptsLanguages', 'en', [['de', 'en']], 'en'],
    ['F-4.4-13', 'acceptsLanguages', 'de', ['en'], false],
    ['F-4.4-14', 'acceptsLanguages', 'de;q=0.5, en, *;q=0.1', [], ['en', 'de', '*']],
    ['F-4.4-14', 'acceptsLanguages', undefined, [], ['*']],
  ];
  const headers: Record<Negotiate, string> = {
    accepts: 'accept',
    acceptsCharsets: 'accept-charset',
    acceptsEncodings: 'accept-encoding',
    acceptsLanguages: 'accept-language',
    is: 'content-type',
  };

  for (const [ids, member, header, offers, response] of rows) {
    const asked = JSON.stringify(offers).slice(1, -1);
    it(`req.${member}(${asked}) with ${JSON.stringify(header) ?? 'no header'} returns ${JSON.stringify(response)} [${ids}]`, () => {
      const { ours, theirs } = askBoth((app) => {
        const req = lightRequest(app, { headers: { [headers[member]]: header } });
        return Reflect.apply(req[member], req, offers);
      });

      expect(ours).to.deep.equal(response);
      expect(ours).to.deep.equal(theirs);
    });
  }

  const lists: ReadonlyArray<[header: string, offers: Offers, response: unknown]> = [
    ['text/html', ['json, html'], 'html'],
    ['text/html', ['json,html'], 'html'],
    ['text/html;q=0.2, application/json', ['html , json'], 'json'],
    ['text/html', ['json, xml', 'html'], 'html'],
    ['text/html', ['json, xml'], false],
    ['*/*', ['application/vnd.a+json, text/html'], 'application/vnd.a+json'],
  ];
  for (const [accept, offers, response] of lists) {
    it(`req.accepts(${JSON.stringify(offers).slice(1, -1)}) with "${accept}" returns ${JSON.stringify(response)} [F-4.4-03]`, () => {
      const req = lightRequest(framework(), { headers: { accept } });

      expect(Reflect.apply(req.accepts, req, offers)).to.equal(response);
    });
  }
});

describe('req.is() (§4.4)', () => {
  const html = 'text/html; charset=utf-8';
  const rows: ReadonlyArray<[id: string, type: string | undefined, asked: Offers, response: unknown]> = [
    ['F-4.4-20', html, ['text/html'], 'text/html'],
    ['F-4.4-20', html, ['application/json', 'text/html'], 'text/html'],
    ['F-4.4-20', html, [['application/json', 'text/html']], 'text/html'],
    ['F-4.4-20', 'TEXT/HTML', ['text/html'], 'text/html'],
    ['F-4.4-21 F-4.4-22', html, ['html'], 'html'],
    ['F-4.4-21 F-4.4-22', 'application/json', ['html', 'json'], 'json'],
    ['F-4.4-23', html, ['text/*'], 'text/html'],
    ['F-4.4-23', html, ['*/html'], 'text/html'],
    ['F-4.4-23', html, ['*/*'], 'text/html'],
    ['F-4.4-23', 'application/vnd.api+json', ['+json'], 'application/vnd.api+json'],
    ['F-4.4-25', html, ['json'], false],
    ['F-4.4-25', undefined, ['html'], false],
    ['F-4.4-25', 'garbage', ['html'], false],
    ['F-4.4-20', html, [], 'text/html'],
  ];

  for (const [id, type, asked, response] of rows) {
    it(`req.is(${JSON.stringify(asked).slice(1, -1)}) for ${type ?? 'no type'} returns ${JSON.stringify(response)} [${id}]`, () => {
      const { ours, theirs } = askBoth((app) => {
        const req = lightRequest(app, { headers: { 'content-type': type, 'content-length': '1' } });
        return Reflect.apply(req.is, req, asked);
      });

      expect(ours).to.equal(response);
      expect(ours).to.equal(theirs);
    });
  }

  it('returns null without a body, and the type of a body of unknown length [F-4.4-24]', () => {
    for (const [headers, response] of [
      [{}, null],
      [{ 'content-length': '0' }, 'text/html'],
      [{ 'transfer-encoding': 'chunked' }, 'text/html'],
      [{ 'content-length': 'x' }, null],
    ] as const) {
      const { ours, theirs } = askBoth((app) => {
        const req = lightRequest(app, { headers: { 'content-type': 'text/html', ...headers } });
        return req.is('text/html');
      });

      expect(ours).to.equal(response);
      expect(ours).to.equal(theirs);
    }
  });
});

describe('req.get() (§4.4)', () => {
  it('returns the value of a header, in any letter case [F-4.4-15 F-4.4-17]', async () => {
    const app = framework();
    app.get('/', (req, res) => res.json([req.get('X-Field'), req.get('x-field'), req.get('X-FIELD')]));

    expect((await request(app).get('/').set('x-FIELD', 'value')).body).to.deep.equal([
      'value',
      'value',
      'value',
    ]);
  });

  it('is the same function as req.header() [F-4.4-16]', () => {
    expect(framework.request.header).to.equal(framework.request.get);
  });

  it('returns the header Referrer, otherwise Referer, for either name [F-4.4-18]', () => {
    for (const [headers, value] of [
      [{ referer: 'a' }, 'a'],
      [{ referrer: 'b' }, 'b'],
      [{ referer: 'a', referrer: 'b' }, 'b'],
      [{}, undefined],
    ] as const) {
      const { ours, theirs } = askBoth((app) => {
        const req = lightRequest(app, { headers });
        return [req.get('Referer'), req.get('REFERRER')];
      });

      expect(ours).to.deep.equal([value, value]);
      expect(ours).to.deep.equal(theirs);
    }
  });

  it('returns undefined for a missing header, and throws for an invalid name [F-4.4-19]', () => {
    const messages: ReadonlyArray<[name: unknown, message: string]> = [
      [undefined, 'name argument is required to req.get'],
      ['', 'name argument is required to req.get'],
      [42, 'name must be a string to req.get'],
      [['a'], 'name must be a string to req.get'],
    ];
    for (const [name, message] of messages) {
      const { ours, theirs } = askBoth((app) => {
        try {
          return lightRequest(app, {}).get(name as string);
        } catch (err) {
          return String(err);
        }
      });

      expect(ours).to.equal(`TypeError: ${message}`);
      expect(ours).to.equal(theirs);
    }
    expect(lightRequest(framework(), {}).get('X-None')).to.equal(undefined);
  });
});
