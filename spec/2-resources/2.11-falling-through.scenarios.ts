/** Scenarios for requests that express.static() passes to `next`, and for the headers that it sets. §2.11 */
import type { NextFunction, Request, Response } from 'express';
import { get, head, post, raw } from '../../parity/client/request';
import { type Framework, scenario } from '../../parity/scenario/scenario';

const BAD = [
  '/%',
  '/%00',
  '/..%2f..%2fpackage.json',
  '/%c0%ae',
  '/none.txt',
  '/hello.txt/',
  '/.hidden',
  `/${'x'.repeat(400)}`,
];

function site(framework: Framework, files: string, options: object) {
  const app = framework();
  app.use(framework.static(files, options));
  app.use((_req: Request, res: Response) => void res.send(`passed at ${res.statusCode}`));
  app.use(
    (err: Error & { status: number; code?: string }, _req: Request, res: Response, _next: NextFunction) => {
      res.status(err.status).json({ name: err.name, code: err.code, members: Object.keys(err) });
    },
  );
  return app;
}

export default [
  ...[{}, { fallthrough: false }, { dotfiles: 'deny', fallthrough: false }].map((options) =>
    scenario({
      name: `express.static handles bad requests and missing files with ${JSON.stringify(options)}`,
      clauses: ['F-2.11-13', 'F-2.11-15', 'F-2.11-29', 'F-7-07', 'F-7-08'],
      build: ({ framework, files }) => site(framework, files, options),
      requests: [
        ...BAD.map((target) => get(target)),
        head('/none.txt'),
        post('/hello.txt', 'x'),
        raw('GET http://example.com/hello.txt HTTP/1.1\r\nHost: x\r\n\r\n'),
      ],
    }),
  ),
  scenario({
    name: 'express.static sends only headers that setHeaders sets before it returns',
    clauses: ['F-2.11-27'],
    build({ framework, files }) {
      const setHeaders = (res: Response): void => {
        res.setHeader('X-Now', 'set');
        res.on('finish', () => {
          try {
            res.setHeader('X-Later', 'never');
          } catch (err) {
            console.log((err as Error).message);
          }
        });
      };
      return site(framework, files, { setHeaders });
    },
    requests: [get('/hello.txt'), get('/hello.txt', { Range: 'bytes=1-3' })],
  }),
];
