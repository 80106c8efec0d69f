/** Scenarios for the options of the body parsers. §2.10 */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { NextFunction, Request, Response } from 'express';
import { post } from '../../parity/client/request';
import { type Framework, scenario } from '../../parity/scenario/scenario';

type Parser = 'json' | 'raw' | 'text' | 'urlencoded';

const TYPES: Readonly<Record<Parser, string>> = {
  json: 'application/json',
  raw: 'application/octet-stream',
  text: 'text/plain',
  urlencoded: 'application/x-www-form-urlencoded',
};
const SAMPLE = '{"a":"é"}';

/**
 * Creates an application with one parser for each set of options, on the paths `/0`, `/1` and so on. The application
 * responds with the parsed body or the error.
 */
function withOptions(framework: Framework, parser: Parser, ...sets: object[]) {
  const app = framework();
  for (const [index, options] of sets.entries()) app.use(`/${index}`, framework[parser](options));
  app.use((req: Request, res: Response) => {
    const { body } = req;
    if (req.url.endsWith('?brief')) res.json({ length: JSON.stringify(body).length, is: typeof body });
    else res.json(Buffer.isBuffer(body) ? { bytes: body.toString('base64') } : { body, is: typeof body });
  });
  app.use((err: Error & { status: number }, req: Request, res: Response, _next: NextFunction) => {
    res.status(err.status).json({ name: err.name, message: err.message, members: err, body: req.body });
  });
  return app;
}

const PARSERS = Object.keys(TYPES) as Parser[];

export default PARSERS.flatMap((parser, index) => {
  const id = (offset: number): string => `F-2.10-${String(index * 12 + offset).padStart(2, '0')}`;
  const bodies = (offset: number): string => `F-2.10-${70 + index * 4 + offset}`;
  const send = (target: string, body: string | Buffer = SAMPLE, headers: Record<string, string> = {}) =>
    post(target, body, { 'Content-Type': TYPES[parser], ...headers });
  const sendAs = (target: string, type: string) => send(target, SAMPLE, { 'Content-Type': type });

  return [
    scenario({
      name: `express.${parser} inflates compressed bodies unless inflate is false`,
      clauses: [id(1), id(2)],
      build: ({ framework }) => withOptions(framework, parser, {}, { inflate: false }),
      requests: ['/0', '/1'].flatMap((target) => [
        send(target),
        send(target, gzipSync(SAMPLE), { 'Content-Encoding': 'gzip' }),
        send(target, deflateSync(SAMPLE), { 'Content-Encoding': 'deflate' }),
        send(target, brotliCompressSync(SAMPLE), { 'Content-Encoding': 'br' }),
        send(target, SAMPLE, { 'Content-Encoding': 'zip' }),
        send(target, SAMPLE, { 'Content-Encoding': 'identity' }),
      ]),
    }),
    scenario({
      name: `express.${parser} rejects a body above its limit`,
      clauses: [id(3), id(4), id(5), bodies(3)],
      build: ({ framework }) => withOptions(framework, parser, { limit: 9 }, { limit: '1kb' }, {}),
      requests: [
        ...['', '{}', `["${'x'.repeat(6)}"]`, `["${'x'.repeat(5)}"]`].map((body) => send('/0', body)),
        send('/1?brief', JSON.stringify(['x'.repeat(1020)])),
        send('/1', JSON.stringify(['x'.repeat(1021)])),
        ...[102_396, 102_397].map((length) =>
          send('/2?brief', gzipSync(JSON.stringify(['x'.repeat(length)])), { 'Content-Encoding': 'gzip' }),
        ),
      ],
    }),
    scenario({
      name: `express.${parser} throws at creation if the limit is invalid`,
      clauses: [id(5)],
      build({ framework }) {
        const messages = ['much', '', Number.NaN, true].map((limit) => {
          try {
            return framework[parser]({ limit } as never).name;
          } catch (err) {
            return String(err);
          }
        });
        return framework().use((_req, res) => void res.json(messages));
      },
      requests: [send('/')],
    }),
    scenario({
      name: `express.${parser} parses the media types that the option type selects`,
      clauses: [id(6), id(7), id(8), id(9), id(10), bodies(2)],
      build: ({ framework }) =>
        withOptions(
          framework,
          parser,
          {},
          { type: 'html' },
          { type: 'text/*' },
          { type: ['json', '*/*+xml'] },
          { type: (req: Request) => req.headers['x-parse'] },
        ),
      requests: ['/0', '/1', '/2', '/3', '/4'].flatMap((target) => [
        ...[TYPES[parser], 'text/html', 'application/json', 'image/svg+xml', 'nonsense'].map((type) =>
          sendAs(target, type),
        ),
        send(target, SAMPLE, { 'X-Parse': 'yes' }),
      ]),
    }),
    scenario({
      name: `express.${parser} passes the bytes to verify and fails if verify throws`,
      clauses: [id(11), id(12), 'F-7-17'],
      build: ({ framework }) =>
        withOptions(
          framework,
          parser,
          {
            verify(_req: unknown, res: Response, bytes: Buffer, charset: unknown) {
              res.setHeader('X-Verified', `${bytes.toString('hex')} ${charset}`);
            },
          },
          {
            verify() {
              throw new Error('unsigned');
            },
          },
          {
            verify() {
              throw Object.assign(new Error('unsigned'), { status: 422, type: 'signature' });
            },
          },
        ),
      requests: ['/0', '/1', '/2'].flatMap((target) => [
        send(target),
        send(target, gzipSync(SAMPLE), { 'Content-Encoding': 'gzip' }),
      ]),
    }),
  ];
}).concat([
  scenario({
    name: 'express.json accepts only Unicode charsets, express.text any known charset, express.raw all bytes',
    clauses: ['F-2.10-50', 'F-2.10-55', 'F-2.10-58', 'F-2.10-59', 'F-2.10-60', 'F-2.10-63'],
    build({ framework }) {
      const app = framework();
      for (const parser of PARSERS) app.use(`/${parser}`, withOptions(framework, parser, {}));
      return app.use('/latin', withOptions(framework, 'text', { defaultCharset: 'iso-8859-1' }));
    },
    requests: [
      ...PARSERS.map((parser) => [`/${parser}/0`, TYPES[parser]] as const),
      ['/latin/0', TYPES.text] as const,
    ].flatMap(([target, type]) =>
      [
        '',
        '; charset=utf-8',
        '; charset=utf-16',
        '; charset=utf-16be',
        '; charset=iso-8859-1',
        '; charset=evil',
      ].map((charset) =>
        post(target, Buffer.from('{"a":"é"}', charset.includes('16') ? 'utf16le' : 'utf8'), {
          'Content-Type': type + charset,
        }),
      ),
    ),
  }),
  scenario({
    name: 'reviver affects only express.json, and parameterLimit only express.urlencoded',
    clauses: ['F-2.10-51', 'F-2.10-56', 'F-2.10-69'],
    build({ framework }) {
      const reviver = (key: string, value: unknown) => (key === 'a' ? `${value}!` : value);
      const app = framework();
      app.use('/json', withOptions(framework, 'json', { reviver }));
      app.use('/raw', withOptions(framework, 'raw', { reviver, strict: true, extended: true }));
      app.use(
        '/form',
        withOptions(framework, 'urlencoded', { parameterLimit: 2 }, { parameterLimit: Infinity }),
      );
      return app;
    },
    requests: [
      post('/json/0', { a: 1, b: { a: 2 } }),
      post('/raw/0', '{"a":1}', { 'Content-Type': TYPES.raw }),
      ...['/form/0', '/form/1'].flatMap((target) =>
        ['a=1&b=2', 'a=1&b=2&c=3'].map((body) => post(target, body, { 'Content-Type': TYPES.urlencoded })),
      ),
    ],
  }),
  scenario({
    name: 'the first of several body parsers that matches the type sets req.body',
    clauses: ['F-2.10-86'],
    build({ framework }) {
      const app = framework();
      app.use(
        framework.json(),
        framework.urlencoded(),
        framework.text({ type: '*/*' }),
        framework.raw({ type: '*/*' }),
      );
      app.use((req, res) => void res.json({ body: req.body, is: typeof req.body }));
      return app;
    },
    requests: [...Object.values(TYPES), 'text/html'].map((type) =>
      post('/', '{"a":1}', { 'Content-Type': type }),
    ),
  }),
]);
