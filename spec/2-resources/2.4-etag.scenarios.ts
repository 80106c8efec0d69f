/** Scenarios for the ETag of dynamic responses. §2.4 */
import { get } from '../../parity/client/request';
import { expectGets } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

const WEAK = 'W/"5-qvTGHdzF6KLavt4PO0gs2a6pQ00"';

/** The ETag of the text `hello` for each value of the setting. */
const OF_HELLO = { true: WEAK, false: undefined, strong: WEAK.slice(2), weak: WEAK, own: '"5"' };

export default [
  scenario({
    name: 'the setting etag selects weak, strong, no or custom ETags',
    clauses: ['F-2.4-01', 'F-2.4-03', 'F-2.4-04', 'F-2.4-05', 'F-2.4-06', 'F-2.4-07', 'F-2.4-08'],
    build({ framework }) {
      const main = framework();
      const values = {
        true: true,
        false: false,
        strong: 'strong',
        weak: 'weak',
        own: (body: Buffer) => `"${body.length}"`,
      };
      for (const [name, value] of Object.entries(values)) {
        const app = framework();
        app.set('etag', value);
        app.get('/send', (_req, res) => res.send('hello'));
        app.get('/json', (_req, res) => void res.json({ a: 1 }));
        app.get('/empty', (_req, res) => res.send(''));
        app.get('/given', (_req, res) => res.set('ETag', '"given"').send('hello'));
        main.use(`/${name}`, app);
      }
      return main;
    },
    requests: Object.entries(OF_HELLO).flatMap(([name, etag]) => [
      get(`/${name}/send`).expect({ etag }),
      ...['json', 'empty'].map((path) => get(`/${name}/${path}`)),
      get(`/${name}/given`).expect({ etag: '"given"' }),
    ]),
  }),
  scenario({
    name: 'a custom etag function receives the encoding of a string body',
    clauses: ['F-2.4-09'],
    build({ framework }) {
      const app = framework();
      app.set('etag', (body: unknown, encoding: unknown) => `"${Buffer.isBuffer(body)} ${encoding}"`);
      app.get('/string', (_req, res) => res.send('hello'));
      app.get('/buffer', (_req, res) => res.send(Buffer.from('hello')));
      return app;
    },
    requests: expectGets({ '/string': { etag: '"true utf8"' }, '/buffer': { etag: '"true undefined"' } }),
  }),
  scenario({
    name: 'the setting etag is weak by default, may return nothing, and does not apply to static files',
    clauses: ['F-2.4-01', 'F-2.4-02', 'F-2.4-03', 'F-2.4-07', 'F-2.4-08'],
    build({ framework, files }) {
      const [app, none, own, refusing] = [framework(), framework(), framework(), framework()];
      none.set('etag', () => undefined);
      own.set('etag', (body: Buffer) => `"${body}"`).use(framework.static(files));
      own.use((_req, res) => void res.json({ a: 1 }));
      refusing.set('etag', () => {
        throw new Error('not asked');
      });
      refusing.get('/', (_req, res) => res.set('ETag', '"own"').send('hello'));
      app.use('/none', none).use('/own', own).use('/refusing', refusing);
      for (const one of [app, none]) one.use((_req, res) => res.send('hello'));
      return app;
    },
    requests: expectGets({
      '/': { etag: WEAK },
      '/none': { status: 200, etag: undefined },
      '/own/hello.txt': { etag: /^W\/"13-[0-9a-f]+"$/ },
      '/own/dynamic': { etag: '"{"a":1}"' },
      '/refusing': { etag: '"own"' },
    }),
  }),
];
