/** Scenarios for express(), express.Router() and express.static(): their results and refused arguments. §4.1 */
import { get } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

export default [
  scenario({
    name: 'applications are independent, express.Router works with and without new, express.static needs a root',
    clauses: ['F-4.1-01', 'F-4.1-06', 'F-4.1-07'],
    build({ framework, files }) {
      const [app, other] = [framework(), framework()];
      other.set('title', 'other').locals.name = 'other';
      const Constructor = framework.Router as unknown as new () => ReturnType<typeof framework.Router>;
      for (const [path, router] of [
        ['/plain', framework.Router()],
        ['/new', new Constructor()],
      ] as const) {
        router.get('/', (_req, res) => res.json([typeof router, router.length]));
        app.use(path, router);
      }
      const attempts = [undefined, '', 1, {}].map((root) => {
        try {
          return typeof framework.static(root as string);
        } catch (error) {
          return String(error);
        }
      });
      app.get('/', (_req, res) =>
        res.json([app.get('title') ?? null, Object.keys(app.locals), app.length, attempts]),
      );
      app.use(framework.static(files));
      return app;
    },
    requests: [
      get('/').expect({
        json: [
          null,
          ['settings'],
          3,
          [
            'TypeError: root path required',
            'TypeError: root path required',
            'TypeError: root path must be a string',
            'TypeError: root path must be a string',
          ],
        ],
      }),
      get('/plain').expect({ json: ['function', 3] }),
      get('/new').expect({ json: ['function', 3] }),
      get('/hello.txt').expect({ status: 200, body: 'Hello from a file.\n' }),
    ],
  }),
];
