/** Scenarios with published applications of Express 3, which receive the tested framework from `require`. §9.3 */

import { del, get, head, post, put, type Step } from '../../parity/client/request';
import { startPublished } from '../../parity/scenario/published';
import { express3Scenario } from '../../parity/scenario/scenario';

/** Creates a scenario for an application in an installed package. */
function published(name: string, file: string, clauses: readonly string[], requests: readonly Step[]) {
  return express3Scenario({
    name: `the package ${name} runs its application ${file}`,
    clauses,
    build: ({ framework }) => startPublished(name, file, framework),
    requests,
  });
}

export default [
  published(
    'ejs-locals',
    'example/app.js',
    ['F-9.3-15', 'F-9.3-26', 'F-9.3-87', 'F-9.3-95'],
    [...['/', '/foo.js', '/foo.css', '/none'].map((target) => get(target)), head('/')],
  ),
  published(
    'express-partials',
    'test/fixtures/basic/app.js',
    ['F-9.3-08', 'F-9.3-94', 'F-9.3-95'],
    [
      ...['/', '/no-layout', '/res-locals', '/app-locals', '/mobile', '/mobile.ejs'].map((target) =>
        get(target),
      ),
      ...['/collection/_entry', '/collection/thing', '/none'].map((target) => get(target)),
    ],
  ),
  published(
    'express-partials',
    'test/fixtures/chained-views/app.js',
    ['F-9.3-03', 'F-9.3-94'],
    [get('/'), get('/locals')],
  ),
  published(
    'express-partials',
    'test/fixtures/subdir/app.js',
    ['F-9.3-03', 'F-9.3-95'],
    [
      ...['/subdir', '/subdir-explicit', '/subdir-a-view', '/subdir-a-layout', '/subdir-aView'].map(
        (target) => get(target),
      ),
    ],
  ),
  published(
    'express-resource',
    'examples/controllers.js',
    ['F-9.3-04', 'F-9.3-06', 'F-9.3-28'],
    [
      ...['/', '/new', '/forums', '/forums/new', '/forums/5', '/forums/5/edit'].map((target) => get(target)),
      ...['/forums/5/threads', '/forums/5/threads/12', '/forums/5/threads/12/edit', '/none/x'].map((target) =>
        get(target),
      ),
      post('/forums', ''),
      put('/forums/5', ''),
      del('/forums/5'),
    ],
  ),
  published(
    'express-resource',
    'examples/content-negotiation.js',
    ['F-9.3-50', 'F-9.3-78', 'F-9.3-84'],
    [
      ...['/', '/users', '/users.json', '/users.xml', '/users/0', '/users/0.json', '/users/9'].map((target) =>
        get(target),
      ),
      get('/users', { Accept: 'application/json' }),
    ],
  ),
  published(
    'i18n',
    'examples/express-cookies/express-cookies.js',
    ['F-9.3-03', 'F-9.3-47', 'F-9.3-78'],
    [
      get('/test'),
      get('/test', { Cookie: 'yourcookiename=de' }),
      get('/test?delay=5', { 'Accept-Language': 'de' }),
      get('/testfail', { Cookie: 'yourcookiename=de' }),
    ],
  ),
];
