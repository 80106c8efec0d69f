import { expect } from 'chai';
import framework from 'nozomi';
import request from 'supertest';

function answering(
  member: 'json' | 'jsonp',
  value?: unknown,
  settings: Readonly<Record<string, unknown>> = {},
) {
  const app = framework();
  app.set('env', 'test');
  for (const [name, setting] of Object.entries(settings)) app.set(name, setting);
  app.get('/', (_req, res) => res[member](value));
  return app;
}

describe('res.json() (§4.5)', () => {
  const VALUES: Readonly<Record<string, unknown>> = {
    'null [F-4.5-35]': null,
    'a number [F-4.5-36]': 300.5,
    'a string [F-4.5-37]': 'a "text"',
    'a boolean [F-4.5-38]': false,
    'a list [F-4.5-39]': ['a', []],
    'an object [F-4.5-34]': { a: { b: null } },
  };
  for (const [title, value] of Object.entries(VALUES)) {
    it(`sends application/json: ${title}`, async () => {
      const res = await request(answering('json', value)).get('/');

      expect(res.headers['content-type']).to.equal('application/json; charset=utf-8');
      expect(res.text).to.equal(JSON.stringify(value));
    });
  }

  it('sends an empty body as application/json without a value [F-4.5-40]', async () => {
    const res = await request(answering('json')).get('/');

    expect(res.headers['content-type']).to.equal('application/json; charset=utf-8');
    expect(res.headers).not.to.have.property('etag');
    expect(res.text).to.equal('');
  });

  it('keeps a type that the handler has set [F-4.5-34]', async () => {
    const app = framework();
    app.get('/', (_req, res) => res.type('application/problem+json').json({ a: 1 }));

    const res = await request(app).get('/');

    expect(res.headers['content-type']).to.equal('application/problem+json; charset=utf-8');
  });

  it('with json escape, escapes markup for browsers that sniff content [F-4.5-34]', async () => {
    const value = { html: '<a href="x">&</a>' };

    const res = await request(answering('json', value, { 'json escape': true })).get('/');

    expect(res.text).to.equal('{"html":"\\u003ca href=\\"x\\"\\u003e\\u0026\\u003c/a\\u003e"}');
    expect(res.body).to.deep.equal(value);
  });

  it('with json escape, does not change text without markup [F-4.5-34]', async () => {
    const res = await request(answering('json', undefined, { 'json escape': true })).get('/');

    expect(res.text).to.equal('');
  });

  it('applies the settings json replacer and json spaces [F-4.5-34]', async () => {
    const settings = { 'json replacer': ['a'], 'json spaces': 2 };

    const res = await request(answering('json', { a: 1, b: 2 }, settings)).get('/');

    expect(res.text).to.equal('{\n  "a": 1\n}');
  });

  it('throws for a value that cannot be serialised [F-4.5-34]', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;

    const [circle, big] = [
      await request(answering('json', circular)).get('/'),
      await request(answering('json', 1n)).get('/'),
    ];

    expect([circle.status, big.status]).to.deep.equal([500, 500]);
    expect(circle.text).to.include('Converting circular structure to JSON');
    expect(big.text).to.include('Do not know how to serialize a BigInt');
  });
});

describe('res.jsonp() (§4.5)', () => {
  it('sends JSON with X-Content-Type-Options: nosniff if the query has no callback name [F-4.5-41]', async () => {
    const res = await request(answering('jsonp', { a: 1 })).get('/');

    expect(res.headers).to.include({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    expect(res.text).to.equal('{"a":1}');
  });

  it('sends a script that calls the callback if it is a function [F-4.5-42 F-4.5-43]', async () => {
    const res = await request(answering('jsonp', { a: 1 })).get('/?callback=go');

    expect(res.headers).to.include({
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    expect(res.text).to.equal(`/**/ typeof go === 'function' && go({"a":1});`);
  });

  it('reads the callback name from the query parameter that jsonp callback name says, the first of several [F-4.5-42]', async () => {
    const app = answering('jsonp', 1, { 'jsonp callback name': 'cb' });

    const res = await request(app).get('/?cb=first&cb=second&callback=other');

    expect(res.text).to.equal(`/**/ typeof first === 'function' && first(1);`);
  });

  it('removes characters from the callback name that a member expression cannot contain [F-4.5-43]', async () => {
    const res = await request(answering('jsonp', 1)).get('/?callback=a.b[0].$_%3Balert(1)%3C');

    expect(res.text).to.equal(`/**/ typeof a.b[0].$_alert1 === 'function' && a.b[0].$_alert1(1);`);
  });

  it('ignores an empty or nested query parameter [F-4.5-41]', async () => {
    const app = answering('jsonp', 1, { 'query parser': 'extended' });

    const responses = [await request(app).get('/?callback='), await request(app).get('/?callback[a]=b')];

    expect(responses.map(({ text }) => text)).to.deep.equal(['1', '1']);
  });

  it('escapes the line breaks U+2028 and U+2029 [F-4.5-42]', async () => {
    const res = await request(answering('jsonp', '\u2028\u2029')).get('/?callback=go');

    expect(res.text).to.include('go("\\u2028\\u2029")');
  });

  it('calls the callback without an argument for a value that JSON cannot express [F-4.5-42]', async () => {
    const res = await request(answering('jsonp', undefined)).get('/?callback=go');

    expect(res.text).to.equal(`/**/ typeof go === 'function' && go();`);
  });

  it('keeps a type that the handler has set [F-4.5-41]', async () => {
    const app = framework();
    app.get('/', (_req, res) => res.type('application/problem+json').jsonp({ a: 1 }));

    const res = await request(app).get('/');

    expect(res.headers['content-type']).to.equal('application/problem+json; charset=utf-8');
    expect(res.headers).not.to.have.property('x-content-type-options');
  });
});
