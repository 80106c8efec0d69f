/** The intended differences of `nozomi/3` from Express 3, without those of its middleware. */
import { type Divergence, responsePlaces } from './divergence';

export const EXPRESS3_DIVERGENCES: readonly Divergence[] = [
  {
    id: 'express3-json-settings',
    clauses: ['F-9.3-20', 'F-9.3-22'],
    differs: '`json replacer` is null and `json spaces` 0 by default; in Express 3 both are undefined',
    why: 'The specification has these defaults; the JSON is the same.',
    scenarios: {
      '9-express3/9.3-settings: application settings have the documented defaults in development':
        responsePlaces(1),
      '9-express3/9.3-settings: application settings have the documented defaults in production':
        responsePlaces(1),
    },
  },
  {
    id: 'express3-host-list',
    clauses: ['F-9.3-56'],
    differs: '`req.host` is the first of several values of `X-Forwarded-Host`; in Express 3 it is the list',
    why: 'A list of hosts is not a host: comparisons and links that use it are wrong. 5.x does the same.',
    scenarios: {
      '9-express3/9.3-request: req.host is the first of several forwarded hosts': responsePlaces(1),
    },
  },
  {
    id: 'express3-media-types',
    clauses: ['F-9.3-84'],
    differs: 'The type of scripts is `text/javascript`; in Express 3 it is `application/javascript`',
    why: 'The registry of media types has this type since RFC 9239; an application can define another in `express3.mime`.',
    scenarios: {
      '9-express3/9.3-response: res.type uses the currently registered media type for scripts': [
        '1.headers.content-type',
      ],
    },
  },
  {
    id: 'express3-file-errors-in-jest',
    clauses: ['F-9.3-90'],
    differs:
      'In a vm context, as in Jest, the error that `res.sendfile` passes to its callback has its `code`; in Express 3 it has none',
    why: 'Express 3 copies the error only if it inherits from the `Error` of that context, and errors of `node:fs` do not.',
    scenarios: {
      '9-express3/9.3-files: res.sendfile sends a hidden file if hidden is true, and tells its callback the code of an error':
        responsePlaces(2),
    },
    // Only `parity -- --realm vm` shows it.
    isOptional: true,
  },
  {
    id: 'express3-redirect-link',
    clauses: ['F-9.3-74'],
    differs:
      'The page of a redirect to `javascript:` and similar schemes shows the target as text; Express 3 links it',
    why: 'A click would run a script that a client has sent.',
    scenarios: {
      '9-express3/9.3-response: res.redirect sends no link to a URL with a script scheme': [
        '1.body',
        '1.headers.content-length',
      ],
    },
  },
  {
    id: 'express3-query-names',
    clauses: ['F-9.3-30'],
    differs:
      'Names of `Object.prototype` (`toString`, `hasOwnProperty`) are not added to `req.query`; Express 3 adds them',
    why: 'Applications call these methods of `req.query`, whose contents the client chooses.',
    scenarios: {
      '9-express3/9.3-request: the query string cannot replace members of Object.prototype': [
        ...responsePlaces(1),
        ...responsePlaces(2),
      ],
    },
  },
  {
    id: 'express3-query-mixes',
    clauses: ['F-9.3-30'],
    differs:
      'If a query string repeats a name without a value, mixes an index above 20 with values, or has unbalanced brackets, no value is lost; in Express 3 values are lost or become names',
    why: '`req.query` is parsed by the current qs. Clients that write names in one form only send nothing of this kind.',
    scenarios: {
      '9-express3/9.3-request: the query string can repeat a name, as a value, a list and an object': [
        '9.body',
        '9.headers.etag',
        ...[8, 10, 11, 12].flatMap(responsePlaces),
      ],
    },
  },
  {
    id: 'express3-rejections',
    clauses: ['F-9.3-01'],
    differs:
      'A rejected promise of a handler is passed to `next`; Express 3 ends the process, or never responds',
    why: 'As in 5.x. Only native promises count, because libraries for Express 3 return queries that run when they are awaited.',
    scenarios: {
      // biome-ignore format: a table
      '9-express3/9.3-ends: a rejected promise of a handler reaches error handlers': [
        '1.status', '1.headers', '1.framing', '1.body', '1.connection', '1.fault', 'uncaught.1',
        ...['x-powered-by', 'content-type', 'content-length', 'etag', 'date', 'connection', 'keep-alive'].map(
          (name) => `1.headers.${name}`,
        ),
      ],
    },
  },
];
