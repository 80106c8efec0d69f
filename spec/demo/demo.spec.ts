/** Sends requests to the demo application of examples/demo. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import request from 'supertest';
import { formatCsv } from '../../examples/demo/timetables/csv';
import { temporaryFolder } from '../../parity/temporary-folder';
import { OFFICE, openDemo } from './support';

const CSV = '/timetables/spring-2026.csv';

describe('the demo, pages', () => {
  for (const [path, words] of [
    ['/', 'Where all three lines meet'],
    ['/stations', 'Map of the network'],
    ['/stations/misaki', 'Mind the gulls'],
    ['/lines', 'every third train is a'],
    ['/lines/garden?direction=up', 'To Ichiba'],
    ['/trains', 'All 330 trains'],
    ['/trains/B157', 'Kamome B157'],
    ['/lost', 'Chess king'],
    ['/lost/L-1', 'Left glove'],
    ['/timetables', 'Spring timetable 2026'],
    ['/live', 'Platform calls at Nozomi Central'],
    ['/drill', 'Emergency drill'],
  ] as const) {
    it(`GET ${path} sends a page with the layout and its own text [F-4.5-58 F-4.5-61]`, async () => {
      const res = await request(openDemo().app).get(path);

      expect(res.status).to.equal(200);
      expect(res.type).to.equal('text/html');
      expect(res.text)
        .to.match(/^<!doctype html>/)
        .and.to.include(words)
        .and.to.include('</footer>');
    });
  }

  for (const [path, source] of [
    ['/', 'pages/board.ts'],
    ['/stations', 'pages/stations.ts'],
    ['/lines', 'pages/lines.ts'],
    ['/lines/garden', 'pages/lines.ts'],
    ['/trains', 'pages/trains.ts'],
    ['/trains/B157', 'pages/trains.ts'],
    ['/lost', 'pages/lost.ts'],
    ['/lost/L-1', 'pages/lost.ts'],
    ['/timetables', 'pages/timetables.ts'],
    ['/live', 'pages/live.ts'],
    ['/drill', 'pages/drill.ts'],
    ['/office', 'pages/office.ts'],
    ['/parity-report', 'pages/parity-report.ts'],
    ['/nowhere', 'web/errors.ts'],
  ] as const) {
    it(`GET ${path} sends a page that describes its features and links to its source [F-4.5-58 F-2.11-26]`, async () => {
      const { app } = openDemo({ parityReport: join(__dirname, 'none.html') });
      const page = await request(app)
        .get(path)
        .auth(...OFFICE);
      const shown = await request(app).get(`/source/${source}`);

      expect(page.text).to.match(
        new RegExp(`This page shows .+\\. Source: <a href="/source/${source}">${source}</a>`),
      );
      expect([shown.status, shown.type]).to.deep.equal([200, 'text/plain']);
      expect(shown.text).to.equal(readFileSync(join(__dirname, '../../examples/demo', source), 'utf8'));
    });
  }

  it('HEAD for a page gets the headers of GET and no body [F-1-30]', async () => {
    const { app } = openDemo();
    const [head, get] = [await request(app).head('/'), await request(app).get('/')];

    expect(head.status).to.equal(200);
    expect(head.headers.etag).to.equal(get.headers.etag);
    expect(head.text).to.equal(undefined);
  });

  it('a conditional request for the board gets 304, and 200 after a change of the board [F-4.5-75]', async () => {
    const { app } = openDemo();
    const { etag = '' } = (await request(app).get('/')).headers;
    const held = await request(app).get('/').set('If-None-Match', etag);
    await request(app)
      .post('/office/delays')
      .auth(...OFFICE)
      .type('form')
      .send({ train: 'b155', minutes: 4 });
    const changed = await request(app).get('/').set('If-None-Match', etag);

    expect([held.status, held.text]).to.deep.equal([304, '']);
    expect(changed.status).to.equal(200);
    expect(changed.text).to.include('4 min late');
  });

  it('the board is sent as a page, JSON or text, depending on Accept [F-4.5-27]', async () => {
    const { app } = openDemo();
    const json = await request(app).get('/').set('Accept', 'application/json');
    const text = await request(app).get('/').set('Accept', 'text/plain');

    expect(json.body.departures[0]).to.include({ train: 'B155', to: 'misaki', time: '14:05' });
    expect(text.text).to.match(/^Nozomi Central 望中央 - departures after 14:05\n\n14:05 B155 /);
  });
});

describe('the demo, API', () => {
  it('one router, mounted at / and /api, sends a station as page and as JSON [F-2.5-04]', async () => {
    const { app } = openDemo();
    const page = await request(app).get('/stations/toge');
    const json = await request(app).get('/api/stations/toge?at=06:00&limit=2').set('Accept', 'text/html');

    expect(page.type).to.equal('text/html');
    expect(json.type).to.equal('application/json');
    expect(json.body.departures.map(({ time }: { time: string }) => time)).to.deep.equal(['06:15', '06:28']);
  });

  it('a list in several pages sends the header Link with the other pages [F-4.5-44]', async () => {
    const res = await request(openDemo().app).get('/api/stations?page=2&per_page=5');

    expect(res.body).to.include({ page: 2, pages: 3, total: 14 });
    expect(res.headers.link).to.include('</api/stations?page=3&per_page=5>; rel="next"');
  });

  it('the next departure is sent as JSONP for a callback [F-4.5-42]', async () => {
    const res = await request(openDemo().app).get('/api/stations/central/next?callback=show');

    expect(res.type).to.equal('text/javascript');
    expect(res.text).to.match(/^\/\*\*\/ typeof show === 'function' && show\(\{/);
  });

  it('texts of visitors are escaped in JSON and in pages [F-2.2-18]', async () => {
    const { app } = openDemo();
    await request(app).post('/api/lost').send({ what: '<b>Kite</b>', station: 'kaigan', note: '' });

    expect((await request(app).get('/api/lost/L-5')).text).to.include('"\\u003cb\\u003eKite');
    expect((await request(app).get('/lost/L-5')).text)
      .to.include('&lt;b&gt;Kite')
      .and.not.to.include('<b>Kite');
  });

  it('a lost thing is created with 201 and Location, claimed once, and deleted by staff [F-4.5-45]', async () => {
    const { app } = openDemo();
    const made = await request(app).post('/api/lost').send({ what: 'Kite', station: 'kaigan', note: '' });
    const path = made.headers.location ?? '';
    const claims = [
      await request(app).patch(path).send({ name: 'Ms Hoshino' }),
      await request(app).patch(path).send({ name: 'Mr Late' }),
    ];
    const removals = [
      await request(app).delete(path),
      await request(app)
        .delete(path)
        .auth(...OFFICE),
    ];

    expect([made.status, path]).to.deep.equal([201, '/api/lost/L-5']);
    expect(claims.map(({ status }) => status)).to.deep.equal([200, 409]);
    expect(removals.map(({ status }) => status)).to.deep.equal([401, 204]);
    expect((await request(app).get(path)).status).to.equal(404);
  });

  it('a photograph is uploaded as bytes, and its type is detected from the first bytes [F-2.10-17]', async () => {
    const { app } = openDemo();
    const png = Buffer.from('89504e470d0a1a0a', 'hex');
    const put = (body: Buffer): request.Test =>
      request(app).put('/api/lost/L-1/photo').set('Content-Type', 'image/png').send(body);

    expect((await put(Buffer.from('no picture'))).status).to.equal(422);
    expect((await put(Buffer.alloc(70_000))).status).to.equal(413);
    expect((await put(png)).status).to.equal(204);
    expect((await request(app).get('/lost/L-1/photo')).body).to.deep.equal(png);
  });

  for (const [status, message, send] of [
    [422, 'Some fields are not valid.', (test: request.Test) => test.send({ what: 'K', station: 'x' })],
    [400, 'The body is not valid JSON.', (test: request.Test) => test.type('json').send('{"what"')],
    [
      413,
      'The body is larger than this desk accepts.',
      (test: request.Test) => test.send({ note: 'x'.repeat(9999) }),
    ],
    [415, 'The body must be json.', (test: request.Test) => test.type('form').send('what=Kite')],
  ] as const) {
    it(`an invalid body gets ${status} as JSON: ${message} [F-2.10-05]`, async () => {
      const res = await send(request(openDemo().app).post('/api/lost'));

      expect(res.status).to.equal(status);
      expect(res.body.error).to.include({ status, message });
    });
  }

  it('an unknown station gets 404 as JSON for any Accept header [F-7-23]', async () => {
    const res = await request(openDemo().app).get('/api/stations/atlantis').set('Accept', 'text/html');

    expect(res.status).to.equal(404);
    expect(res.body).to.deep.equal({ error: { status: 404, message: 'There is no such station.' } });
  });
});

describe('the demo, forms and cookies', () => {
  it('a valid form redirects with 303 to the page that it created [F-4.5-53]', async () => {
    const res = await request(openDemo().app)
      .post('/lost')
      .type('form')
      .send({ what: 'Tuba', station: 'toge' });

    expect([res.status, res.headers.location]).to.deep.equal([303, '/lost/L-5']);
  });

  it('an invalid form is sent back with its values, and the reason beside the input [F-2.10-41]', async () => {
    const res = await request(openDemo().app).post('/lost').type('form').send({ what: '"', station: 'toge' });

    expect(res.status).to.equal(422);
    expect(res.text).to.include('value="&#34;"').and.to.include('Needs at least 2 characters.');
  });

  it('a POST from another site gets 403 [F-7-01]', async () => {
    const { app } = openDemo();
    const post = (): request.Test => request(app).post('/preferences').type('form').send({ theme: 'dark' });

    expect((await post().set('Origin', 'http://elsewhere.test')).status).to.equal(403);
    expect((await post().set('Sec-Fetch-Site', 'cross-site')).status).to.equal(403);
    expect((await post().set('Sec-Fetch-Site', 'same-origin')).status).to.equal(303);
  });

  it('the theme is stored in a signed cookie that scripts cannot read [F-2.6-43 F-4.5-12]', async () => {
    const { app } = openDemo();
    const set = await request(app).post('/preferences').type('form').send({ theme: 'dark', back: '/lines' });
    const cookie = set.get('Set-Cookie')?.[0] ?? '';
    const page = await request(app)
      .get('/lines')
      .set('Cookie', cookie.split(';')[0] ?? '');

    expect(set.headers.location).to.equal('/lines');
    expect(cookie).to.match(/^theme=s%3Adark\..*; HttpOnly; SameSite=Lax$/);
    expect(cookie).to.include('Expires=Fri, 03 Jul 2026 05:05:00 GMT');
    expect(page.text).to.include('data-theme="dark"');
  });

  it('a modified cookie is ignored and cleared [F-5-04]', async () => {
    const { app } = openDemo();
    const set = await request(app).get('/stations/misaki');
    const good = set.get('Set-Cookie')?.[0]?.split(';')[0] ?? '';
    const home = await request(app).get('/').set('Cookie', good);
    const forged = await request(app).get('/').set('Cookie', good.replace('misaki', 'toge'));

    expect(home.text).to.include('Mind the gulls');
    expect(forged.text).to.include('Where all three lines meet');
    expect(forged.get('Set-Cookie')?.[0]).to.match(/^station=; Path=\/; Expires=Thu, 01 Jan 1970/);
  });

  it('a form does not redirect to another site [F-4.5-53]', async () => {
    const { app } = openDemo();
    for (const back of ['//elsewhere.test', 'http://elsewhere.test', '/\\elsewhere.test', '/a\r\nb', '']) {
      const res = await request(app).post('/preferences').type('form').send({ theme: 'light', back });
      expect(res.headers.location).to.equal('/');
    }
  });
});

describe('the demo, files and streams', () => {
  it('the timetable is sent as a download, with the departures of the rules [F-4.5-16 F-4.5-18]', async () => {
    const res = await request(openDemo().app).get(CSV);
    const printed = join(__dirname, '../../examples/demo/timetables/spring-2026.csv');

    expect(res.headers['content-disposition']).to.equal('attachment; filename=nozomi-spring-2026.csv');
    expect(res.text).to.equal(formatCsv()).and.to.equal(readFileSync(printed, 'utf8'));
  });

  it('a range of the timetable gets 206, and an unsatisfiable range 416 [F-2.9-26]', async () => {
    const { app } = openDemo();
    const part = await request(app).get(CSV).set('Range', 'bytes=0-12');
    const beyond = await request(app).get(CSV).set('Range', 'bytes=999999-');

    expect([part.status, part.text]).to.deep.equal([206, 'train,service']);
    expect(part.headers['content-range']).to.match(/^bytes 0-12\/\d+$/);
    expect(beyond.status).to.equal(416);
    expect(beyond.headers).not.to.have.property('content-disposition');
  });

  it('an asset with a version in its URL may be cached for a year [F-2.11-26]', async () => {
    const { app } = openDemo();
    const url =
      /href="(\/assets\/style\.css\?v=[0-9a-f]+)"/.exec((await request(app).get('/')).text)?.[1] ?? '';
    const [pinned, bare] = [await request(app).get(url), await request(app).get('/assets/style.css')];

    expect(pinned.headers['cache-control']).to.equal('public, max-age=31536000, immutable');
    expect(bare.headers['cache-control']).to.equal('public, max-age=0');
    expect(bare.headers.etag).to.equal(pinned.headers.etag);
  });

  it('the calls at a station are sent as server-sent events, and not again after the last one [F-4.5-24]', async () => {
    const { app } = openDemo();
    const all = await request(app).get('/live/events?station=minato');
    const rest = await request(app).get('/live/events?station=minato').set('Last-Event-ID', '4');
    const none = await request(app).get('/live/events').set('Last-Event-ID', '6');

    expect(all.type).to.equal('text/event-stream');
    expect(all.text.match(/^id: \d$/gm)).to.have.length(6);
    expect(rest.text.match(/^id: \d$/gm)).to.deep.equal(['id: 5', 'id: 6']);
    expect(none.status).to.equal(204);
  });
});

describe('the demo, office', () => {
  it('is a mounted application with a path [F-2.1-06]', async () => {
    const res = await request(openDemo().app)
      .get('/office')
      .auth(...OFFICE);

    expect(res.status).to.equal(200);
    expect(res.text).to.include('Mounted on <code>/office</code>');
  });

  it('requires a password, and is closed if none is configured [F-7-03]', async () => {
    const wrong = await request(openDemo().app).get('/office').auth('stationmaster', 'coffee');
    const { app } = openDemo();
    const closed = await request(openDemo({ officePassword: '' }).app)
      .get('/office')
      .auth('stationmaster', '');

    expect((await request(app).get('/office')).headers['www-authenticate']).to.include('Basic realm=');
    expect(wrong.status).to.equal(401);
    expect(closed.status).to.equal(503);
  });

  it('accepts an announcement as plain text, and publishes it [F-2.10-29]', async () => {
    const { app } = openDemo();
    const post = await request(app)
      .post('/office/announcements')
      .auth(...OFFICE)
      .type('text/plain')
      .send('Snow on the <pass>.');

    expect([post.status, post.headers.location]).to.deep.equal([303, '/office']);
    expect((await request(app).get('/')).text).to.include('Snow on the &lt;pass&gt;.');
  });
});

describe('the demo, errors and logs', () => {
  it('a thrown error and a rejection send the same page, and only the log has the message [F-1-25 F-1-26]', async () => {
    const { app, reported } = openDemo();
    for (const kind of ['throw', 'reject']) {
      const res = await request(app).get(`/drill/${kind}`);
      expect(res.status).to.equal(500);
      expect(res.text)
        .to.include('Something broke behind the desk.')
        .and.not.to.match(/Tōge|drill\.ts| at /);
    }
    expect(reported.map(String)).to.deep.equal([
      'Error: The signal at Tōge fell over.',
      'Error: The signal box at Tōge does not answer.',
    ]);
  });

  it('the error page shows the stack in development [F-7-03]', async () => {
    const res = await request(openDemo({ env: 'development' }).app).get('/drill/throw');

    expect(res.text).to.match(/<pre>Error: The signal at Tōge fell over\.\n +at .*drill\.ts/);
  });

  for (const path of [
    '/nowhere',
    '/stations/%E0%A4%A',
    '/assets/..%2f..%2fapp.ts',
    '/source/web/..%2fapp.ts',
    '/source/program/port.ts',
    '/timetables/..%2Fapp.ts',
  ]) {
    it(`GET ${path} sends an error page without paths of this machine [F-7-01]`, async () => {
      const res = await request(openDemo().app).get(path);

      expect(res.status).to.be.within(400, 404);
      expect(res.text).to.include('Back to the departures').and.not.to.include(process.cwd());
    });
  }

  it('every request has a line in both logs [L-2.3-01]', async () => {
    const { app, access, terminal } = openDemo();
    await request(app).get('/nowhere?x=1').set('User-Agent', 'a "spec"');

    expect(access).to.have.length(1);
    expect(access[0]).to.match(/"GET \/nowhere\?x=1 HTTP\/1\.1" 404 \d+ "-" "a \\"spec\\""\n$/);
    expect(terminal[0]).to.include('GET /nowhere?x=1').and.to.include('404');
  });
});

describe('the demo, parity report', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder('demo-report');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('an existing report is served with a Content-Security-Policy for its own scripts [F-4.5-77]', async () => {
    const parityReport = join(folder, 'parity.html');
    writeFileSync(parityReport, '<!doctype html><title>Parity</title>');
    const { app } = openDemo({ parityReport });
    const res = await request(app).get('/parity-report');
    const home = await request(app).get('/');

    expect([res.status, res.text]).to.deep.equal([200, '<!doctype html><title>Parity</title>']);
    expect(res.headers['content-security-policy']).to.match(/^default-src 'none'; style-src 'unsafe-inline'/);
    expect(home.text).to.include('<a href="/parity-report">Parity</a>');
  });

  it('a missing report is replaced by a page with the command that creates it [F-4.5-58]', async () => {
    const { app } = openDemo({ parityReport: join(folder, 'none.html') });
    const res = await request(app).get('/parity-report');

    expect([res.status, res.type]).to.deep.equal([200, 'text/html']);
    expect(res.text).to.include('<pre class="command">npm run parity -- --reporter html</pre>');
  });

  it('a demo without the option parityReport responds 404 [F-7-01]', async () => {
    const { app } = openDemo();
    const [res, home] = [await request(app).get('/parity-report'), await request(app).get('/')];

    expect(res.status).to.equal(404);
    expect(home.text).to.not.include('parity-report');
  });
});
