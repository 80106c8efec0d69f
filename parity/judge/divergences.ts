/**
 * The intended differences from Express. This package follows the specification there (`follow: "document"` in
 * `spec/clauses.json`), or a standard if the specification states nothing, or is measurably faster. Any other
 * difference is a failure, and so is an entry without a difference.
 */

import type { Divergence } from './divergence';
import { EXPRESS3_DIVERGENCES } from './express3-divergences';
import { EXPRESS3_MIDDLEWARE_DIVERGENCES } from './express3-middleware-divergences';

/**
 * The id for values that differ between two runs of Express itself. They are found by the comparison, never declared.
 */
export const VARIES = 'varies';

/** Differences that an application written for Express 5 may meet. */
export const OF_5X: readonly Divergence[] = [
  {
    id: 'back',
    clauses: ['F-4.5-46', 'F-4.5-47', 'F-4.5-56', 'F-4.5-57'],
    differs: '`back` in res.location() and res.redirect() means the Referer, or `/`; Express sends `back`',
    why: 'The specification states it several times. A path `back` can be sent as `./back`.',
    sign: {
      place: /^\d+\.(headers\.location|body)$/,
      wanted: /^back$|Redirecting to back\b/,
      isCame: (came, referer = '/') => came.includes(referer),
    },
    scenarios: {
      '4-endpoints/4.5-redirect: back is where the client came from': [
        ...['1.headers.location', '2.headers.location', '3.headers.location'],
        ...['4.headers.location', '4.headers.content-length', '4.body'],
        ...['5.headers.location', '5.headers.content-length', '5.body'],
        ...['6.headers.location', '6.headers.content-length', '6.body'],
      ],
    },
  },
  {
    id: 'accepts-list',
    clauses: ['F-4.4-03'],
    differs:
      '`req.accepts("json, html")` chooses from a list; Express reads one unknown type and returns false',
    why: 'No registered media type contains a comma, so only calls that never succeed change.',
    scenarios: {
      '4-endpoints/4.4-request: accepts takes a list in one string': responsePlaces(1),
    },
  },
  {
    id: 'pathless-routes',
    clauses: ['F-4.2-31'],
    differs: '`app.all(handler)` and the methods use `/` without a path; Express throws',
    why: 'Only applications that throw on start-up change. `app.get(name)` still reads a setting.',
    scenarios: {
      '4-endpoints/4.2-application: all and the methods without a path stand at the root': [1, 2, 3].flatMap(
        (exchange) => [`${exchange}.status`, `${exchange}.headers.content-type`, ...responsePlaces(exchange)],
      ),
    },
  },
  {
    id: 'param-of-options',
    clauses: ['F-4.3-06', 'F-4.3-07', 'F-4.3-08'],
    differs: '`router.param(fn)` creates callbacks from later options, and is deprecated; Express throws',
    why: 'Only applications that throw on start-up change.',
    scenarios: {
      '4-endpoints/4.3-router: router.param with a function alone makes the callbacks of later options': [
        ...[1, 2].flatMap((exchange) => [
          `${exchange}.status`,
          `${exchange}.headers.x-checked`,
          ...responsePlaces(exchange),
        ]),
        'deprecations.1',
      ],
    },
  },
  {
    id: 'etag-encoding',
    clauses: ['F-2.4-09'],
    differs:
      'An `etag` function of the application receives `utf8` for a string body; Express passes undefined',
    why: 'With Express the second argument is undefined, so no application reads it.',
    scenarios: {
      '2-resources/2.4-etag: an own generator is told the encoding of a string body': ['1.headers.etag'],
    },
  },
  {
    id: 'layer-members',
    clauses: ['F-2.5-14'],
    differs: 'Layers of `req.route.stack` also have `keys`, `params` and `path`; those of Express do not',
    why: 'They are constants beside the members of Express, and store nothing of a request.',
    scenarios: {
      '2-resources/2.5-router-options: the layers of a route carry keys, params and path': responsePlaces(1),
    },
  },
  {
    id: 'continue-in-turn',
    clauses: ['F-4.5-66'],
    differs:
      'While an earlier response on the connection is pending, a string is sent after its own ' +
      '`100 Continue`, 102 or 103; Express sends these between head and body, where a client reads them as the body',
    why: 'No client can read such a response, and it also loses later responses on the connection.',
    standard: 'RFC 9110 §15.2',
    scenarios: {
      '4-endpoints/4.5-send: an answer that waits for the one before it comes behind its own 100 Continue': [
        ...['2.interim', '2.body', '2.surplus'],
      ],
    },
  },
  {
    id: 'own-app',
    clauses: ['F-2.6-02'],
    differs:
      'In a mounted application, `app` may be a property of the request itself; in Express it is a property of its prototype',
    why: 'A change of prototype takes longer than all other work on a small request.',
    standard: 'docs/performance.md, what an application can see',
    scenarios: {
      '2-resources/2.6-members: whether `app` is a property of its own, at the top and in a mounted application':
        responsePlaces(2),
    },
  },
];

export const DIVERGENCES: readonly Divergence[] = [
  ...OF_5X,
  ...EXPRESS3_DIVERGENCES,
  ...EXPRESS3_MIDDLEWARE_DIVERGENCES,
];

/** The places of a different body: its length and its ETag differ, too. */
function responsePlaces(exchange: number): string[] {
  return [`${exchange}.body`, `${exchange}.headers.content-length`, `${exchange}.headers.etag`];
}
