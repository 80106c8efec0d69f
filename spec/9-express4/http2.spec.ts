import { join } from 'node:path';
import { expect } from 'chai';
import express4 from 'nozomi/4';
import { muteDeprecations } from '../support/both';
import { askHttp1, askHttp2, plain, type TestRequest, withHttp1, withHttp2 } from '../transports/support';

const FILES = join(__dirname, '..', '..', 'fixtures', 'express4');

const JSON_TYPE = { 'content-type': 'application/json' };

const TEST_REQUESTS: readonly TestRequest[] = [
  ...['/user/7?a[b]=1', '/status', '/back', '/files/a.txt', '/old', '/fails', '/none', '/star/a/b'].map(
    (path) => ({ path }),
  ),
  { path: '/back', headers: { referer: 'http://a.test/', accept: 'text/html' } },
  { path: '/files/a.txt', method: 'HEAD' },
  { path: '/files/a.txt', headers: { range: 'bytes=1-2' } },
  { path: '/user/7', method: 'OPTIONS' },
  { path: '/body', method: 'POST', body: '{"a":[1]}', headers: JSON_TYPE },
  { path: '/body', method: 'POST', body: '{"a":', headers: JSON_TYPE },
  { path: '/body', method: 'POST', body: '', headers: JSON_TYPE },
];

function createApp(): express4.Express {
  const app = express4().set('env', 'production');
  app.use(express4.json()).use('/files', express4.static(FILES));
  app.get('/user/:id?', (req, res) => res.json(201, [req.param('id'), req.query, req.host, req.body]));
  app.get('/status', (_req, res) => res.send(404));
  app.get('/back', (_req, res) => res.redirect('back'));
  app.get('/old', (_req, res) => res.sendfile('a b.txt', { root: FILES }));
  app.get('/star/*', (req, res) => res.send(req.params));
  app.get('/fails', () => {
    throw Object.assign(new Error('fails'), { status: 418 });
  });
  app.post('/body', (req, res) => res.json(req.body));
  return app;
}

describe('nozomi/4 over HTTP/2', () => {
  muteDeprecations();

  const { error } = console;
  before(() => {
    // The final handler prints errors to `console.error`, except when `env` is `test`.
    console.error = () => undefined;
  });
  after(() => {
    console.error = error;
  });

  it('an application of http2.createServer responds as over HTTP/1.1', async () => {
    const app = createApp();
    await withHttp2(app, async (session) => {
      await withHttp1(app, async (port) => {
        for (const testRequest of TEST_REQUESTS) {
          const actual = plain(await askHttp2(session, testRequest));
          expect(actual, JSON.stringify(testRequest)).to.deep.equal(plain(await askHttp1(port, testRequest)));
        }
      });
    });
  });
});
