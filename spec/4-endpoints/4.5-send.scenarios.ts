/** Scenarios for res.send(), res.sendStatus() and res.status(), and for response methods of Node.js. §4.5 */
import type { Response } from 'express';
import { get, head, onOneConnection, pipelined, post } from '../../parity/client/request';
import { gets, routes } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';
import { withWrappedSet } from '../../parity/scenario/wrapped';

const text = 'grün, 緑, 💚';

export default [
  ...withWrappedSet([
    scenario({
      name: 'res.send sends a string as HTML in UTF-8 unless a type is set',
      clauses: ['F-4.5-68', 'F-4.5-73'],
      build: routes({
        '/html': (_req, res) => res.send(text),
        '/empty': (_req, res) => res.send(''),
        '/typed': (_req, res) => res.type('text').send(text),
        '/bare': (_req, res) => res.set('Content-Type', 'text/plain').send(text),
        '/latin1': (_req, res) => res.set('Content-Type', 'text/plain; charset=iso-8859-1').send(text),
        '/parameters': (_req, res) =>
          res.set('Content-Type', 'text/plain; Format=flowed; x="a b"').send(text),
        '/no-media-type': (_req, res) => res.set('Content-Type', 'nonsense').send(text),
        '/raw-type': (_req, res) => {
          res.setHeader('content-type', 'TEXT/Plain ;q=1');
          res.send(text);
        },
        '/numeric-type': (_req, res) => {
          res.setHeader('Content-Type', 7);
          res.send(text);
        },
        '/long': (_req, res) => res.send('ä'.repeat(5000)),
      }),
      requests: [
        ...gets(
          '/html',
          '/empty',
          '/typed',
          '/bare',
          '/latin1',
          '/parameters',
          '/no-media-type',
          '/raw-type',
        ),
        ...gets('/numeric-type', '/long'),
      ],
    }),
    scenario({
      name: 'res.send sends a buffer as application/octet-stream unless a type is set',
      clauses: ['F-4.5-66', 'F-4.5-67', 'F-4.5-73'],
      build: routes({
        '/buffer': (_req, res) => res.send(Buffer.from([0, 1, 254, 255])),
        '/empty': (_req, res) => res.send(Buffer.alloc(0)),
        '/typed': (_req, res) => res.type('png').send(Buffer.from('png')),
        '/text': (_req, res) => res.set('Content-Type', 'text/plain').send(Buffer.from(text)),
        '/uint8': (_req, res) => res.send(new Uint8Array([104, 105])),
        '/uint16': (_req, res) => res.send(new Uint16Array([104, 105, 300])),
        '/data-view': (_req, res) => res.send(new DataView(new ArrayBuffer(2))),
        '/array-buffer': (_req, res) => res.send(new ArrayBuffer(2)),
      }),
      requests: gets(
        '/buffer',
        '/empty',
        '/typed',
        '/text',
        '/uint8',
        '/uint16',
        '/data-view',
        '/array-buffer',
      ),
    }),
    scenario({
      name: 'res.send sends other values as JSON, and an empty body for null and undefined',
      clauses: ['F-4.5-69', 'F-4.5-70', 'F-4.5-71', 'F-4.5-72'],
      build: routes({
        '/object': (_req, res) => res.send({ a: [1, { b: null }], c: text }),
        '/array': (_req, res) => res.send([1, 'two', null, undefined]),
        '/true': (_req, res) => res.send(true),
        '/false': (_req, res) => res.send(false),
        '/number': (_req, res) => res.send(404 as never),
        '/nan': (_req, res) => res.send(Number.NaN as never),
        '/date': (_req, res) => res.send(new Date(0)),
        '/string-object': (_req, res) => res.send(new String('boxed')),
        '/null': (_req, res) => res.send(null),
        '/undefined': (_req, res) => res.send(undefined),
        '/nothing': (_req, res) => res.send(),
        '/typed': (_req, res) => res.type('application/vnd.api+json').send({ a: 1 }),
        '/typed-null': (_req, res) => res.type('text').send(null),
      }),
      requests: [
        ...gets(
          '/object',
          '/array',
          '/true',
          '/false',
          '/number',
          '/nan',
          '/date',
          '/string-object',
          '/null',
        ),
        ...gets('/undefined', '/nothing', '/typed', '/typed-null'),
      ],
    }),
    scenario({
      name: 'res.send responds to HEAD with the headers of GET and no body',
      clauses: ['F-4.5-74', 'F-4.5-73'],
      build: routes({
        '/text': (_req, res) => res.send(text),
        '/json': (_req, res) => res.json({ a: 1 }),
        '/buffer': (_req, res) => res.send(Buffer.from(text)),
        '/nothing': (_req, res) => res.send(),
        '/status': (_req, res) => res.sendStatus(202),
        '/end': (_req, res) => res.end(text),
      }),
      requests: [
        ...['/text', '/json', '/buffer', '/nothing', '/status', '/end'].map((path) => head(path)),
        onOneConnection(head('/text'), get('/text'), head('/json'), get('/json')),
      ],
    }),
    scenario({
      name: 'res.send responds with 304 and no body if the copy of the client is fresh',
      clauses: ['F-4.5-75'],
      build({ framework }) {
        const app = framework();
        app.get('/text', (_req, res) => res.send(text));
        app.post('/text', (_req, res) => res.send(text));
        app.get('/own', (_req, res) => res.set('ETag', '"own"').send(text));
        app.get('/dated', (_req, res) => res.set('Last-Modified', new Date(0).toUTCString()).send(text));
        app.get('/missing', (_req, res) => res.status(404).set('ETag', '"own"').send(text));
        app.get('/created', (_req, res) => res.status(201).set('ETag', '"own"').send(text));
        app.get('/json', (_req, res) => res.json({ text }));
        app.get('/chunked', (_req, res) =>
          res.set('Transfer-Encoding', 'chunked').set('ETag', '"own"').send(text),
        );
        return app;
      },
      requests: [
        get('/text'),
        (seen) => get('/text', { 'If-None-Match': seen[0]?.header('ETag') ?? '' }),
        (seen) => head('/text', { 'If-None-Match': seen[0]?.header('ETag') ?? '' }),
        (seen) => post('/text', 'x', { 'If-None-Match': seen[0]?.header('ETag') ?? '' }),
        (seen) => get('/text', { 'If-None-Match': (seen[0]?.header('ETag') ?? '').slice(2) }),
        (seen) => get('/text', { 'If-None-Match': `"a", ${seen[0]?.header('ETag')} , "b"` }),
        (seen) =>
          get('/text', {
            'If-None-Match': seen[0]?.header('ETag') ?? '',
            'Cache-Control': 'max-age=0, no-cache',
          }),
        get('/own', { 'If-None-Match': '"own"' }),
        get('/own', { 'If-None-Match': 'W/"own"' }),
        get('/own', { 'If-None-Match': '*' }),
        get('/own', { 'If-None-Match': '"other"' }),
        get('/dated', { 'If-Modified-Since': new Date(0).toUTCString() }),
        get('/dated', { 'If-Modified-Since': new Date(-1000).toUTCString() }),
        get('/dated', { 'If-Modified-Since': 'yesterday' }),
        get('/dated', { 'If-None-Match': '"x"', 'If-Modified-Since': new Date(0).toUTCString() }),
        get('/missing', { 'If-None-Match': '"own"' }),
        get('/created', { 'If-None-Match': '"own"' }),
        get('/json', { 'If-None-Match': '*' }),
        get('/chunked', { 'If-None-Match': '"own"' }),
      ],
    }),
    scenario({
      name: 'res.send drops the headers of a body for statuses without one',
      clauses: ['F-4.5-73', 'F-4.5-87', 'F-4.5-88'],
      build: routes({
        '/204': (_req, res) => res.status(204).send(text),
        '/204-json': (_req, res) => res.status(204).json({ a: 1 }),
        '/205': (_req, res) => res.status(205).send(text),
        '/205-chunked': (_req, res) => res.status(205).set('Transfer-Encoding', 'chunked').send(text),
        '/304': (_req, res) => res.status(304).send(text),
        '/chunked': (_req, res) => res.set('Transfer-Encoding', 'chunked').send(text),
        '/length': (_req, res) => res.set('Content-Length', '3').send(text),
      }),
      requests: [
        ...gets('/204', '/204-json', '/205', '/205-chunked', '/304', '/chunked', '/length'),
        head('/204'),
        head('/205'),
        onOneConnection(get('/204'), get('/205'), get('/304')),
      ],
    }),
    scenario({
      name: 'res.send follows the setting etag',
      clauses: ['F-4.5-73', 'F-4.5-75', 'F-2.4-01'],
      build({ framework }) {
        const app = framework();
        for (const etag of [true, false, 'weak', 'strong', () => '"mine"', () => undefined, () => '']) {
          const sub = framework();
          sub.set('etag', etag);
          sub.get('/text', (_req, res) => res.send(text));
          sub.get('/long', (_req, res) => res.send('x'.repeat(1000)));
          sub.get('/bytes', (_req, res) => res.send(Buffer.from(text)));
          sub.get('/array', (_req, res) => res.send(new Uint8Array([1, 2])));
          sub.get('/null', (_req, res) => res.send(null));
          sub.get('/json', (_req, res) => res.json({ text }));
          sub.get('/own', (_req, res) => res.set('ETag', '"own"').send(text));
          app.use(`/${String(etag).replace(/\W/g, '')}`, sub);
        }
        return app;
      },
      requests: ['true', 'false', 'weak', 'strong', 'mine', 'undefined', ''].flatMap((name) =>
        gets(...['text', 'long', 'bytes', 'array', 'null', 'json', 'own'].map((path) => `/${name}/${path}`)),
      ),
    }),
    scenario({
      name: 'res.sendStatus sends the registered message, or the number if there is none',
      clauses: ['F-4.5-82', 'F-4.5-83', 'F-7-11'],
      build({ framework }) {
        const app = framework();
        app.get('/:code', (req, res) => res.sendStatus(Number(req.params.code)));
        return app;
      },
      requests: ['200', '201', '204', '205', '304', '404', '418', '500', '599', '600', '799', '999'].map(
        (code) => get(`/${code}`),
      ),
    }),
    scenario({
      name: 'res.status and res.sendStatus throw for an invalid status',
      clauses: ['F-4.5-87', 'F-7-12', 'F-8-05', 'F-8-06', 'F-8-07'],
      build({ framework }) {
        const app = framework();
        const codes = [99, 100, 599, 600, 999, 1000, 0, -1, 200.5, Number.NaN, '200', null, undefined, [200]];
        app.get('/', (_req, res) => {
          const told = codes.map((code) => {
            try {
              return `${res.status(code as number).statusCode}`;
            } catch (err) {
              return String(err);
            }
          });
          res.status(200).json(told);
        });
        app.get('/thrown', (_req, res) => res.sendStatus(1000));
        app.get('/thrown-type', (_req, res) => res.status('200' as never).send('never'));
        return app;
      },
      requests: gets('/', '/thrown', '/thrown-type'),
      env: { NODE_ENV: 'production' },
    }),
    scenario({
      name: 'response methods of Node.js such as res.write keep their behaviour',
      clauses: ['F-4.5-24', 'F-4.5-98', 'F-2.7-02'],
      build: routes({
        '/end': (_req, res) => res.end('ended'),
        '/end-encoding': (_req, res) => res.end('6869', 'hex'),
        '/end-nothing': (_req, res) => res.status(202).end(),
        '/end-callback': (_req, res) => {
          res.end('called', () => undefined);
        },
        '/write': (_req, res) => {
          res.write('a');
          res.write('b');
          res.end('c');
        },
        '/write-head': (_req, res) => {
          res.writeHead(203, 'Fine', { 'X-One': '1', 'Content-Length': '2' });
          res.end(String(res.headersSent).slice(0, 2));
        },
        '/set-header': (_req, res) => {
          res.setHeader('x-LOWER', ['a', 'b']);
          res.removeHeader('X-Powered-By');
          res.send(JSON.stringify([res.headersSent, res.hasHeader('X-Lower'), res.getHeaderNames()]));
        },
        '/hints': (_req, res) => {
          res.writeEarlyHints({ link: '</a.css>; rel=preload' });
          res.send('after the hints');
        },
        '/trailers': (_req, res) => {
          res.setHeader('Trailer', 'X-Sum');
          res.write('body');
          res.addTrailers({ 'X-Sum': '4' });
          res.end();
        },
      }),
      requests: [
        ...gets(
          '/end',
          '/end-encoding',
          '/end-nothing',
          '/end-callback',
          '/write',
          '/write-head',
          '/set-header',
        ),
        get('/hints'),
        get('/trailers', { TE: 'trailers' }),
      ],
    }),
  ]),
  scenario({
    name: 'res.send keeps 100 Continue before its response while an earlier response is pending',
    clauses: ['F-4.5-66'],
    build({ framework }) {
      const app = framework();
      let first: Response;
      app.get('/first', (_req, res) => {
        first = res;
      });
      app.post('/second', (_req, res) => {
        res.send('second');
        first.send('first');
      });
      return app;
    },
    requests: [pipelined(get('/first'), post('/second', 'body', { Expect: '100-continue' }))],
  }),
];
