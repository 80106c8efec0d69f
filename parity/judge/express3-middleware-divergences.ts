/**
 * The intended differences of the `nozomi/3` middleware from Express 3.21: it uses maintained libraries, and does
 * what the specification states. §9.3
 */
import type { Divergence } from './divergence';

export const EXPRESS3_MIDDLEWARE_DIVERGENCES: readonly Divergence[] = [
  {
    id: 'express3-basic-scheme',
    clauses: ['F-9.3-97'],
    differs: '`basicAuth` accepts the scheme `basic` for `Basic`; Express 3 responds 400',
    why: 'Names of schemes are case-insensitive (RFC 9110 §11.1).',
    scenarios: {
      '9-express3/9.3-basic-auth: the scheme may be written in any case': [
        ...['1.status', '1.headers.x-content-type-options', ...responsePlaces(1), 'stderr.1', 'stderr.2'],
      ],
    },
  },
  {
    id: 'express3-form-prototype',
    clauses: ['F-9.3-32'],
    differs: 'The name `__proto__` in a form is ignored; in Express 3 it sets a prototype',
    why: 'Only attackers use it.',
    scenarios: {
      '9-express3/9.3-bodies: a form reaches no prototype': ['1.body', '1.headers.etag'],
    },
  },
  {
    id: 'express3-session-spelling',
    clauses: ['F-9.3-116'],
    differs: '`session` sends the header name `Set-Cookie`; that of Express 3 sends `set-cookie`',
    why: 'It is the current express-session. Names of headers are case-insensitive.',
    scenarios: {
      '9-express3/9.3-cookies: session keeps sessions on the server': ['1.headers', '3.headers'],
      '9-express3/9.3-csrf: tokens belong to a session of the server': [
        '1.headers',
        '2.headers',
        '3.headers',
      ],
    },
  },
  {
    id: 'express3-listing-nosniff',
    clauses: ['F-9.3-118', 'F-9.3-119', 'F-9.3-120', 'F-9.3-121', 'F-9.3-122'],
    differs: 'A listing has the header `X-Content-Type-Options: nosniff`; that of Express 3 does not',
    why: 'It is the current serve-index. Other users may choose the names of files.',
    scenarios: {
      '9-express3/9.3-served-files: directory lists names as JSON and as text, but hidden ones': sniffing(
        1,
        2,
        3,
      ),
      '9-express3/9.3-served-files: directory lists what a filter lets pass': sniffing(1),
      '9-express3/9.3-served-files: directory shows a page, with icons where it is asked to': sniffing(1, 2),
    },
  },
  {
    id: 'express3-static',
    clauses: ['F-9.3-125'],
    differs:
      '`static` is that of 5.x: current media types, 301 for directories, no file below a folder that begins with a dot',
    why: 'One middleware serves files for both, and hidden folders such as `.git` must not be served by mistake.',
    scenarios: {
      '9-express3/9.3-served-files: static serves files, with conditions and ranges': [1, 2, 3, 5].map(
        (exchange) => `${exchange}.headers.content-type`,
      ),
      '9-express3/9.3-served-files: static sends a directory to its name with a slash': [
        ...['1.status', '1.headers.content-length', '1.body', '1.headers.content-security-policy'],
      ],
      '9-express3/9.3-served-files: static shows hidden files where it is asked to, and nothing below a hidden folder':
        [
          ...['3.status', '3.headers.accept-ranges', '3.headers.cache-control', '3.headers.content-type'],
          ...['3.headers.content-length', '3.body', ...sniffing(3)],
        ],
    },
  },
  {
    id: 'express3-compress-br',
    clauses: ['F-9.3-103'],
    differs: '`compress` uses `br` for clients that accept it; that of Express 3 has gzip and deflate only',
    why: 'It is the current compression. Only clients that accept `br` receive it.',
    scenarios: {
      '9-express3/9.3-middleware: compress hands out br where a client takes it': [
        ...['1.headers.content-encoding', '1.body'],
      ],
    },
  },
  {
    id: 'express3-logger-dev',
    clauses: ['F-9.3-124'],
    differs:
      'The format `dev` ends the colour before the space after the status; that of Express 3 ends it after the space',
    why: 'It is the logger of this package, which equals the current morgan.',
    scenarios: {
      '9-express3/9.3-middleware: logger has the format dev': ['log.1', 'log.2'],
    },
  },
  {
    id: 'express3-upload-members',
    clauses: ['F-9.3-42', 'F-9.3-43'],
    differs:
      'A file has `lastModifiedDate`, and its path has an extension only with `keepExtensions`; in Express 3 both are the opposite',
    why: 'The specification states both; 3.21 lost them when it changed its parser.',
    scenarios: {
      '9-express3/9.3-uploads: a file tells when it was written, and its path nothing of its name': [
        ...responsePlaces(1),
        ...responsePlaces(2),
      ],
    },
  },
  {
    id: 'express3-favicon-tag',
    clauses: ['F-9.3-01'],
    differs: 'The ETag of an icon is generated with SHA-1; that of Express 3 with MD5',
    why: 'It is the current serve-favicon.',
    scenarios: {
      '9-express3/9.3-middleware: favicon serves an icon, responseTime tells a time, staticCache misses': [
        ...['1.headers.etag', '2.asked', '2.headers.etag'],
      ],
    },
  },
  {
    id: 'express3-error-page',
    clauses: ['F-9.3-01'],
    differs:
      'The page of `errorHandler` has the name of this framework as its heading, and its JSON is indented',
    why: 'It is the current errorhandler. Applications can set `errorHandler.title`.',
    scenarios: {
      '9-express3/9.3-middleware: errorHandler shows an error as a page, as JSON and as text': [
        ...['1.body', '1.headers.content-length', '2.body', '2.headers.content-length'],
      ],
    },
  },
];

/** The places of a different body: its length and its ETag differ, too. */
function responsePlaces(exchange: number): string[] {
  return [`${exchange}.body`, `${exchange}.headers.content-length`, `${exchange}.headers.etag`];
}

function sniffing(...exchanges: number[]): string[] {
  return exchanges.map((exchange) => `${exchange}.headers.x-content-type-options`);
}
