import { expect } from 'chai';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import framework from 'nozomi';
import request from 'supertest';

function appOf(handlers: Readonly<Record<string, RequestHandler>>) {
  const app = framework();
  app.set('env', 'test').get('/', (_req, res) => res.format(handlers));
  return app;
}

const BY_TYPE: Readonly<Record<string, RequestHandler>> = {
  'text/plain': (_req, res) => res.send('plain'),
  'text/html': (_req, res) => res.send('html'),
  'application/json': (_req, res) => res.json('json'),
};
const BY_EXTENSION: Readonly<Record<string, RequestHandler>> = {
  txt: (_req, res) => res.send('plain'),
  html: (_req, res) => res.send('html'),
  json: (_req, res) => res.json('json'),
};

describe('res.format() (§4.5)', () => {
  for (const [title, handlers] of Object.entries({
    'media types [F-4.5-25]': BY_TYPE,
    'extensions [F-4.5-26]': BY_EXTENSION,
  })) {
    it(`calls the handler of the type that the client accepts, and sets this type: keys are ${title}`, async () => {
      const res = await request(appOf(handlers)).get('/').set('Accept', 'application/json');

      expect(res.headers).to.include({ 'content-type': 'application/json; charset=utf-8', vary: 'Accept' });
      expect(res.text).to.equal('"json"');
    });
  }

  it('chooses the type with the highest quality value [F-4.5-27]', async () => {
    const res = await request(appOf(BY_TYPE))
      .get('/')
      .set('Accept', 'text/plain;q=0.2, text/html;q=0.8, */*;q=0.1');

    expect(res.text).to.equal('html');
  });

  it('calls the first handler without the header Accept [F-4.5-28]', async () => {
    const res = await request(appOf(BY_TYPE)).get('/').unset('Accept');

    expect(res.text).to.equal('plain');
  });

  it('sets Content-Type to the key without its parameters [F-4.5-29]', async () => {
    const app = appOf({ 'text/html; level=1 ': (_req, res) => res.end('html') });

    const res = await request(app).get('/');

    expect(res.headers['content-type']).to.equal('text/html; charset=utf-8');
  });

  it('sets application/octet-stream for an unknown extension [F-4.5-29]', async () => {
    const res = await request(appOf({ 'no-such': (_req, some) => some.end() })).get('/');

    expect(res.headers['content-type']).to.equal('application/octet-stream');
  });

  it('responds 406 without a match [F-4.5-30 F-7-09]', async () => {
    const res = await request(appOf(BY_TYPE)).get('/').set('Accept', 'image/png');

    expect(res.status).to.equal(406);
    expect(res.headers.vary).to.equal('Accept');
  });

  it('lists the available types in the 406 error [F-4.5-30]', async () => {
    const app = appOf({ txt: () => undefined, 'text/html;q=1': () => undefined, 'no-such': () => undefined });
    const tell: ErrorRequestHandler = (err, _req, res, _next) =>
      res.json([err.status, err.message, err.types]);
    app.use(tell);

    const res = await request(app).get('/').set('Accept', 'image/png');

    expect(res.body).to.deep.equal([
      406,
      'Not Acceptable',
      ['text/plain', 'text/html', 'application/octet-stream'],
    ]);
  });

  it('calls default only without a match [F-4.5-31]', async () => {
    const app = appOf({ default: (_req, res) => res.send('default'), ...BY_TYPE });

    const [none, first] = [
      await request(app).get('/').set('Accept', 'image/png'),
      await request(app).get('/').unset('Accept'),
    ];

    expect([none.text, first.text]).to.deep.equal(['default', 'plain']);
  });

  it('calls the handler as a method of the given object, with request, response and next [F-4.5-25]', async () => {
    const seen: unknown[] = [];
    const handlers: Readonly<Record<string, RequestHandler>> = {
      html(req, res, next) {
        seen.push(this === (handlers as unknown), req.res === res);
        next(Object.assign(new Error('passed on'), { status: 418 }));
      },
    };

    const res = await request(appOf(handlers)).get('/');

    expect(seen).to.deep.equal([true, true]);
    expect(res.status).to.equal(418);
  });

  it('throws if the value of the chosen key is not a function [F-4.5-25]', async () => {
    const res = await request(appOf({ html: 'text' as never })).get('/');

    expect(res.status).to.equal(500);
    expect(res.text).to.include('is not a function');
  });

  it('a handler can respond 406 itself if req.accepts returns false [F-7-10]', async () => {
    const app = framework();
    app.get('/', (req, res) => res.sendStatus(req.accepts('html') ? 200 : 406));

    const res = await request(app).get('/').set('Accept', 'image/png');

    expect([res.status, res.text]).to.deep.equal([406, 'Not Acceptable']);
  });
});
