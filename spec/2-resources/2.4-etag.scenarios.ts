/** Scenarios for the ETag of dynamic responses. §2.4 */
import { get } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

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
    requests: ['true', 'false', 'strong', 'weak', 'own'].flatMap((name) =>
      ['send', 'json', 'empty', 'given'].map((path) => get(`/${name}/${path}`)),
    ),
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
    requests: [get('/string'), get('/buffer')],
  }),
];
