/**
 * The intended differences of the 3.x interface from Express 3: this package follows the specification, or is safer.
 * §9.3
 */
import type { Divergence } from './divergence';

export const EXPRESS3_DIVERGENCES: readonly Divergence[] = [
  {
    id: 'express3-json-settings',
    clauses: ['F-9.3-20', 'F-9.3-22'],
    differs: '`json replacer` is null and `json spaces` 0 by default; the original has undefined for both',
    why: 'The document gives these defaults; the JSON is the same.',
    scenarios: {
      '9-express3/9.3-settings: defaults in development': responsePlaces(1),
      '9-express3/9.3-settings: defaults in production': responsePlaces(1),
    },
  },
  {
    id: 'express3-host-list',
    clauses: ['F-9.3-56'],
    differs: '`req.host` is the first of several values of `X-Forwarded-Host`; the original gives the list',
    why: 'A list of hosts is no host: what compares or links it goes wrong. As `req.hostname` of 5.x.',
    scenarios: {
      '9-express3/9.3-request: of several forwarded hosts the first is the host': responsePlaces(1),
    },
  },
  {
    id: 'express3-media-types',
    clauses: ['F-9.3-84'],
    differs: 'Scripts are `text/javascript`; the original says `application/javascript`',
    why: 'The registry of media types says so since RFC 9239; a program may define them otherwise in `express3.mime`.',
    scenarios: {
      '9-express3/9.3-response: the type of scripts is that of the present registry': [
        '1.headers.content-type',
      ],
    },
  },
  {
    id: 'express3-redirect-link',
    clauses: ['F-9.3-74'],
    differs:
      'The page of a redirect to `javascript:` and its like names the place as text; the original links it',
    why: 'A click would run what a client has sent.',
    scenarios: {
      '9-express3/9.3-response: a redirect to a scheme that a click would run is no link': [
        '1.body',
        '1.headers.content-length',
      ],
    },
  },
  {
    id: 'express3-query-names',
    clauses: ['F-9.3-30'],
    differs:
      'Names that every object has (`toString`, `hasOwnProperty`) are no members of `req.query`; in the original they are',
    why: 'A program calls these methods of an object that the client has made.',
    scenarios: {
      '9-express3/9.3-request: a query cannot take over what every object has': [
        ...responsePlaces(1),
        ...responsePlaces(2),
      ],
    },
  },
  {
    id: 'express3-rejections',
    clauses: ['F-9.3-01'],
    differs:
      'A rejected promise of a handler is given to `next`; the original ends the process, or never answers',
    why: 'As in 5.x. Only native promises: libraries of the time return queries that run when they are awaited.',
    scenarios: {
      '9-express3/9.3-ends: a rejected promise is an error of its handler': [
        ...['1.status', '1.headers', '1.framing', '1.body', '1.connection', '1.fault', 'uncaught.1'],
        ...['x-powered-by', 'content-type', 'content-length', 'etag', 'date', 'connection', 'keep-alive'].map(
          (name) => `1.headers.${name}`,
        ),
      ],
    },
  },
];

/** The places of a different body: its length and its ETag differ, too. */
function responsePlaces(exchange: number): string[] {
  return [`${exchange}.body`, `${exchange}.headers.content-length`, `${exchange}.headers.etag`];
}
