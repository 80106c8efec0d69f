/** What random programs do beside Express 4 and 3, and applications seldom do: odd arguments and replaced members. */
import { join } from 'node:path';
import { expect } from 'chai';
import express4 from 'express4';
import nozomi3 from 'nozomi/3';
import nozomi4 from 'nozomi/4';
import { get, request, type Step } from '../../parity/client/request';
import { muteDeprecations } from '../support/both';
import { play } from '../support/play';

// biome-ignore lint/suspicious/noExplicitAny: the programs use members that no type has
type Any = any;
type Build = (framework: Any, calls: string[]) => Any;

const FILE = join(__dirname, '../../fixtures/files/hello.txt');

/** The programs, and the calls that Express makes. Express 3 changes `http.ServerResponse`, so it is not loaded here. */
const PROGRAMS: ReadonlyArray<
  readonly [
    what: string,
    series: readonly (3 | 4)[],
    build: Build,
    step: Step,
    status: number,
    calls: string[],
  ]
> = [
  [
    'send a 404 page if req.unpipe is no function',
    [4],
    (framework) => {
      const app = framework();
      app.request.unpipe = '';
      return app;
    },
    get('/'),
    404,
    [],
  ],
  [
    'take a number for the options of res.sendfile',
    [4],
    (framework) => framework().use((_req: Any, res: Any) => res.sendfile(FILE, 200, undefined)),
    get('/'),
    200,
    [],
  ],
  [
    'match every path with an empty list of paths',
    [4],
    (framework) => {
      const app = framework();
      for (const path of [[], '/a', '/b', '/c']) app.get(path, (_req: Any, res: Any) => res.send(`${path}`));
      return app;
    },
    get('/c'),
    200,
    [],
  ],
  [
    'call an overridden app.enable for the defaults',
    [4, 3],
    (framework, calls) => {
      const { enable } = framework.application;
      framework.application.enable = function (this: Any, name: string) {
        calls.push(name);
        return enable.call(this, name);
      };
      try {
        return framework();
      } finally {
        framework.application.enable = enable;
      }
    },
    get('/'),
    404,
    ['x-powered-by'],
  ],
  [
    'call a setter of app.response.charset',
    [3],
    (framework, calls) => {
      const app = framework();
      const set = (value: string): unknown => calls.push(value);
      Object.defineProperty(app.response, 'charset', { get: () => 'x', set });
      return app.get('/', (_req: Any, res: Any) => res.json({}));
    },
    get('/'),
    200,
    ['x'],
  ],
  [
    'send no 304 for the method QUERY',
    [3],
    (framework) => framework().use((_req: Any, res: Any) => res.send('a')),
    request('QUERY', '/', undefined, { 'If-None-Match': '*' }),
    200,
    [],
  ],
];

describe('unusual programs respond as with Express', () => {
  muteDeprecations();

  for (const [what, list, build, step, status, wanted] of PROGRAMS)
    for (const series of list)
      it(`${series}: ${what}`, async () => {
        for (const framework of series === 3 ? [nozomi3] : [express4, nozomi4]) {
          const calls: string[] = [];
          const [exchange] = await play(build(framework, calls), step);
          expect([exchange?.response.status, calls]).to.deep.equal([status, wanted]);
        }
      });
});
