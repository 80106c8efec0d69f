/** Scenarios for requests that express.static() passes to `next`, and for the headers that it sets. §2.11 */

import { expect } from 'chai';
import type { NextFunction, Request, Response } from 'express';
import { get, head, post, raw } from '../../parity/client/request';
import { type Framework, scenario } from '../../parity/scenario/scenario';

/** Targets, with the status of the error that express.static passes to `next` without fallthrough. */
const BAD: ReadonlyArray<readonly [target: string, status: number]> = [
  ['/%', 400],
  ['/%00', 400],
  ['/..%2f..%2fpackage.json', 403],
  ['/%c0%ae', 400],
  ['/none.txt', 404],
  ['/hello.txt/', 404],
  ['/.hidden', 404],
  [`/${'x'.repeat(400)}`, 404],
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

const OPTIONS: ReadonlyArray<{ fallthrough?: boolean; dotfiles?: string }> = [
  {},
  { fallthrough: false },
  { dotfiles: 'deny', fallthrough: false },
];

export default [
  ...OPTIONS.map((options) =>
    scenario({
      name: `express.static handles bad requests and missing files with ${JSON.stringify(options)}`,
      clauses: ['F-2.11-13', 'F-2.11-15', 'F-2.11-29', 'F-7-07', 'F-7-08'],
      build: ({ framework, files }) => site(framework, files, options),
      requests: [
        ...BAD.map(([target, status]) =>
          get(target).expect(
            options.fallthrough === false
              ? { status: target === '/.hidden' && options.dotfiles ? 403 : status }
              : { status: 200, body: 'passed at 200' },
          ),
        ),
        head('/none.txt').expect({ status: options.fallthrough === false ? 404 : 200 }),
        post('/hello.txt', 'x').expect(
          options.fallthrough === false ? { status: 405, allow: 'GET, HEAD' } : { body: 'passed at 200' },
        ),
        raw('GET http://example.com/hello.txt HTTP/1.1\r\nHost: x\r\n\r\n').expect({ status: 200 }),
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
    requests: [
      get('/hello.txt').expect({ 'x-now': 'set', 'x-later': undefined }),
      get('/hello.txt', { Range: 'bytes=1-3' }).expect({ status: 206, 'x-now': 'set', 'x-later': undefined }),
    ],
    expect: ({ stdout }) =>
      expect(stdout).to.deep.equal(Array(2).fill('Cannot set headers after they are sent to the client\n')),
  }),
];
