/** An application with typical middleware, and requests to it, which specs send over each transport. */
import { Readable } from 'node:stream';
import compression from 'compression';
import session from 'express-session';
import framework, { type Request, type Response } from 'nozomi';
import logger from 'nozomi/logger';
import type { TestRequest } from './support';

export const BIG = Buffer.alloc(1_500_000, 'x');

/** @returns An application with logger, compression, session, static files and a mounted application. */
export function createApp(): ReturnType<typeof framework> {
  const app = framework().set('env', 'test');
  app.use(logger('tiny', { stream: { write: () => undefined } }));
  app.use(compression({ threshold: 100 }));
  app.use(session({ secret: 's', resave: false, saveUninitialized: false, genid: () => 'same' }));
  app.get('/text', (_req, res) => void res.send('hello'));
  app.get('/end', (_req, res) => void res.end('ended'));
  app.get('/json', (req, res) => void res.json({ ...req.query, ip: req.ip, secure: req.secure }));
  app.get('/fields', (_req, res) => {
    res
      .set({ 'X-Two': ['1', '2'], 'X-Blank': ' b ' })
      .cookie('a', '1')
      .cookie('b', '2')
      .vary('Accept');
    res.set('Connection', 'keep-alive').status(201).send('made');
  });
  app.get(
    '/head',
    (_req, res) => void res.writeHead(202, 'Fine', { 'X-A': '1', 'Keep-Alive': 'timeout=5' }).end('x'),
  );
  app.get('/pairs', (_req, res) => void res.writeHead(200, ['X-A', '1', 'X-A', '2'] as never).end());
  app.get('/chunks', (_req, res) => void Readable.from(['a', 'b', 'c']).pipe(res));
  app.get('/large', (_req, res) => void res.send('words '.repeat(1000)));
  app.get('/bytes', (_req, res) => void res.send(BIG));
  app.get('/trailers', (_req, res) => {
    res.set('Trailer', 'X-Sum').write('data');
    res.addTrailers({ 'X-Sum': '42' });
    res.end();
  });
  app.get('/file', (_req, res) => res.sendFile(__filename));
  app.get('/none', (_req, res) => void res.status(204).end());
  app.get('/redirect', (_req, res) => res.redirect('/text'));
  app.get('/session', (req, res) => {
    Object.assign(req.session, { seen: true });
    res.send('kept');
  });
  app.get('/error', () => {
    throw new Error('broken');
  });
  app.get('/headers', (req, res) => {
    const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = req.headers;
    // Sorted, because `Headers` of fetch sorts its entries by name.
    res.json(Object.entries(headers).sort());
  });
  app.post('/json', framework.json(), (req, res) => void res.json(req.body));
  app.post('/form', framework.urlencoded(), (req, res) => void res.json(req.body));
  app.post('/count', (req, res) => {
    let count = 0;
    req.on('data', (chunk) => {
      count += chunk.length;
    });
    req.on('end', () => res.json({ count, complete: req.complete }));
  });
  app.post('/limit', framework.text({ limit: 10 }), (req, res) => void res.send(req.body));
  app.post('/unread', (_req, res) => void res.status(413).send('too much'));
  const inner = framework();
  inner.get('/deep', (req, res) => void res.send(`${req.baseUrl} ${req.app === inner} ${res.app === inner}`));
  app.use('/inner', inner);
  app.use('/files', framework.static(__dirname));
  // The error page shows the stack, whose frames differ between the transports.
  app.use((err: Error & { status?: number }, _req: Request, _res: Response, next: (err: unknown) => void) => {
    next(Object.assign(err, { stack: err.message }));
  });
  return app;
}

const JSON_TYPE = { 'content-type': 'application/json' };
export const TEST_REQUESTS: readonly TestRequest[] = [
  ...['/text', '/end', '/json?a=1&b=2', '/fields', '/head', '/pairs', '/chunks', '/bytes', '/trailers'].map(
    (path) => ({
      path,
    }),
  ),
  ...['/file', '/none', '/redirect', '/session', '/error', '/nothing', '/inner/deep'].map((path) => ({
    path,
  })),
  { path: '/large', headers: { 'accept-encoding': 'gzip' } },
  { path: '/large' },
  { path: '/text', method: 'HEAD' },
  { path: '/file', method: 'HEAD' },
  { path: '/text', method: 'OPTIONS' },
  { path: '/file', headers: { range: 'bytes=5-20' } },
  { path: '/file', headers: { range: 'bytes=999999-' } },
  { path: '/text', headers: { 'if-none-match': 'W/"5-qvTGHdzF6KLavt4PO0gs2a6pQ00"' } },
  { path: '/files/support.ts', headers: { range: 'bytes=0-1,4-5' } },
  { path: '/files/' },
  { path: '/headers', headers: { cookie: ['a=1', 'b=2'], 'x-two': ['1', '2'], 'user-agent': 'u' } },
  { path: '/json', method: 'POST', body: '{"a":[1]}', headers: { ...JSON_TYPE, 'content-length': 9 } },
  { path: '/json', method: 'POST', body: '{"a":[1]}', headers: JSON_TYPE },
  { path: '/json', method: 'POST', body: '{"a":', headers: JSON_TYPE },
  { path: '/json', method: 'POST', body: '', headers: JSON_TYPE },
  {
    path: '/form',
    method: 'POST',
    body: 'a=1&b=2',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  },
  { path: '/count', method: 'POST', body: BIG },
  { path: '/limit', method: 'POST', body: 'longer than ten', headers: { 'content-type': 'text/plain' } },
];
