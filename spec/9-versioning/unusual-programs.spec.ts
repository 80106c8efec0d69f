/** What random programs do and applications seldom do: odd arguments and replaced members. */
import { join } from 'node:path';
import { expect } from 'chai';
import express from 'express';
import express4 from 'express4';
import nozomi from 'nozomi';
import nozomi3 from 'nozomi/3';
import nozomi4 from 'nozomi/4';
import { get, request, type Step } from '../../parity/client/request';
import { muteDeprecations } from '../support/both';
import { play } from '../support/play';

// biome-ignore lint/suspicious/noExplicitAny: the programs use members that no type has
type Any = any;
type Build = (framework: Any, calls: string[]) => Any;

const FILE = join(__dirname, '../../fixtures/files/hello.txt');

/** Express 3 changes `http.ServerResponse`, so it is not loaded here. */
const FRAMEWORKS = { 3: [nozomi3], 4: [express4, nozomi4], 5: [express, nozomi] };

/** Reports the type of each parsed body. */
const bodies = (app: Any, framework: Any, calls: string[]): Any =>
  app.use(framework.raw({ type: 'text/*' }), (req: Any, res: Any) => {
    calls.push(typeof req.body);
    res.end();
  });
const TEXT = request('POST', '/', 'a', { 'Content-Type': 'text/plain' });

/** The programs, and the calls that Express makes. */
const PROGRAMS: ReadonlyArray<
  readonly [
    what: string,
    series: readonly (keyof typeof FRAMEWORKS)[],
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
    'call a setter of app.response.charset for a string',
    [3],
    (framework, calls) => {
      const app = framework();
      const set = (value: string): unknown => calls.push(value);
      Object.defineProperty(app.response, 'charset', { get: () => 'x', set });
      return app.get('/', (_req: Any, res: Any) => res.send('a'));
    },
    get('/'),
    200,
    ['x'],
  ],
  [
    'parse a body if req.app is no application',
    [5, 4],
    (framework, calls) => {
      const app = framework();
      Object.defineProperty(app.request, 'app', { get: () => 'a' });
      return bodies(app, framework, calls);
    },
    TEXT,
    200,
    ['object'],
  ],
  [
    'ask an overridden app.enabled only for settings of Express',
    [5, 4],
    (framework, calls) => {
      const app = bodies(framework(), framework, calls);
      const { enabled } = app;
      app.enabled = (name: string): boolean => {
        calls.push(name);
        return enabled.call(app, name);
      };
      return app;
    },
    TEXT,
    200,
    ['x-powered-by', 'object'],
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

  for (const [what, list, build, step, status, expected] of PROGRAMS)
    for (const series of list)
      it(`${series}: ${what}`, async () => {
        for (const framework of FRAMEWORKS[series]) {
          const calls: string[] = [];
          const [exchange] = await play(build(framework, calls), step);
          expect([exchange?.response.status, calls]).to.deep.equal([status, expected]);
        }
      });
});
