import { expect } from 'chai';
import type { RequestHandler, Response } from 'express';
import framework from 'nozomi';
import request from 'supertest';
import { heardDuring } from '../support/heard';

function appOf(handler: RequestHandler) {
  const app = framework();
  app.set('env', 'test').get('/', handler);
  return app;
}

const locationOf = async (url: string): Promise<string | undefined> =>
  (await request(appOf((_req, res) => res.location(url).end())).get('/')).headers.location;

describe('res.location() (§4.5)', () => {
  it('sets the header Location [F-4.5-45]', async () => {
    expect(await locationOf('http://example.com/a?b=c#d')).to.equal('http://example.com/a?b=c#d');
  });

  it('encodes only characters that are not encoded yet [F-4.5-48]', async () => {
    expect(await locationOf('/ü b?q=<>&r=%20%zz')).to.equal('/%C3%BC%20b?q=%3C%3E&r=%20%25zz');
  });

  const PASSED_ON = [
    ...[
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      'https://user:pass@evil.example',
      '../..',
      '',
    ],
  ];
  for (const url of PASSED_ON) {
    it(`sends ${JSON.stringify(url)}: the application must check the target [F-4.5-49]`, async () => {
      expect(await locationOf(url)).to.equal(url);
    });
  }

  it('encodes a line break in the URL [F-4.5-48 F-4.5-49]', async () => {
    expect(await locationOf('/a\r\nSet-Cookie: b=c')).to.equal('/a%0D%0ASet-Cookie:%20b=c');
  });

  it('sends the Referer of the request for back [F-4.5-46]', async () => {
    const app = appOf((_req, res) => res.location('back').end());

    const [referer, referrer] = [
      await request(app).get('/').set('Referer', 'http://a.test/from'),
      await request(app).get('/').set('Referrer', '/other'),
    ];

    expect([referer.headers.location, referrer.headers.location]).to.deep.equal([
      'http://a.test/from',
      '/other',
    ]);
  });

  it('sends / for back without a Referer [F-4.5-47]', async () => {
    expect(await locationOf('back')).to.equal('/');
  });
});

describe('res.redirect() (§4.5)', () => {
  it('redirects with 302 and a short text [F-4.5-50]', async () => {
    const res = await request(appOf((_req, some) => some.redirect('/x'))).get('/');

    expect(res.status).to.equal(302);
    expect(res.headers).to.include({ location: '/x', 'content-length': '24', vary: 'Accept' });
    expect(res.text).to.equal('Found. Redirecting to /x');
  });

  it('redirects with the status of the first argument [F-4.5-51]', async () => {
    const res = await request(appOf((_req, some) => some.redirect(308, '/x'))).get('/');

    expect([res.status, res.text]).to.deep.equal([308, 'Permanent Redirect. Redirecting to /x']);
  });

  it('sends HTML with the escaped URL to a client that prefers HTML [F-4.5-50]', async () => {
    const app = appOf((_req, res) => res.redirect('/"><script>'));

    const res = await request(app).get('/').set('Accept', 'text/html');

    expect(res.headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(res.text).to.equal(
      '<!DOCTYPE html><head><title>Found</title></head><body><p>Found. Redirecting to /%22%3E%3Cscript%3E</p></body>',
    );
  });

  it('sends no body for HEAD, or to a client that accepts neither text nor HTML [F-4.5-50]', async () => {
    const app = appOf((_req, res) => res.redirect('/x'));

    const [image, headed] = [
      await request(app).get('/').set('Accept', 'image/png'),
      await request(app).head('/'),
    ];

    expect([image.status, image.text, image.headers['content-length']]).to.deep.equal([302, '', '0']);
    expect([headed.status, headed.text, headed.headers['content-length']]).to.deep.equal([
      302,
      undefined,
      '24',
    ]);
  });

  const TARGETS: Readonly<Record<string, string>> = {
    'a full URL [F-4.5-52]': 'http://example.com/a',
    'a path from the root [F-4.5-53]': '/admin',
    'a path from here [F-4.5-54]': 'post/new',
    'the parent [F-4.5-55]': '..',
  };
  for (const [title, url] of Object.entries(TARGETS)) {
    it(`sends the given URL without resolving it: ${title}`, async () => {
      const res = await request(appOf((_req, some) => some.redirect(url))).get('/');

      expect(res.headers.location).to.equal(url);
    });
  }

  it('redirects to the Referer for back [F-4.5-56]', async () => {
    const app = appOf((_req, res) => res.redirect('back'));

    const res = await request(app).get('/').set('Referer', '/from');

    expect([res.headers.location, res.text]).to.deep.equal(['/from', 'Found. Redirecting to /from']);
  });

  it('redirects to / for back without a Referer [F-4.5-57]', async () => {
    const res = await request(appOf((_req, some) => some.redirect(301, 'back'))).get('/');

    expect([res.status, res.headers.location]).to.deep.equal([301, '/']);
  });

  // depd warns once per call site, so each case needs its own call.
  const DEPRECATED: ReadonlyArray<
    [title: string, act: (res: Response) => void, texts: string[], status: number]
  > = [
    [
      'without a target',
      (res) => (res.redirect as () => void)(),
      ['Provide a url argument', 'Url must be a string'],
      302,
    ],
    ['to an empty target', (res) => res.redirect(''), ['Provide a url argument'], 302],
    ['to a target that is not a string', (res) => res.redirect(7 as never), ['Url must be a string'], 302],
    [
      'with a status that is not a number',
      (res) => res.redirect('301' as never, '/x'),
      ['Status must be a number'],
      500,
    ],
  ];
  for (const [title, act, texts, status] of DEPRECATED) {
    it(`a call ${title} warns of a deprecation: ${texts} [F-4.5-51]`, async () => {
      const heard = await heardDuring('deprecation', () =>
        request(appOf((_req, some) => act(some)))
          .get('/')
          .expect(status),
      );

      expect(heard.map(({ namespace, message }) => `${namespace} ${message}`)).to.deep.equal(
        texts.map((text) => `express ${text}`),
      );
    });
  }
});
