/**
 * The intended differences of the `nozomi/3` middleware from Express 3.21. The reasons are current libraries, the
 * specification and security.
 */
import { type Divergence, responsePlaces } from './divergence';

export const EXPRESS3_MIDDLEWARE_DIVERGENCES: readonly Divergence[] = [
  {
    id: 'express3-basic-scheme',
    clauses: ['F-9.3-97'],
    differs: '`basicAuth` accepts the scheme `basic` for `Basic`; Express 3 responds 400',
    why: 'Names of schemes are case-insensitive (RFC 9110 §11.1).',
    scenarios: {
      '9-express3/9.3-basic-auth: basicAuth accepts the scheme in any case': [
        '1.status',
        '1.headers.x-content-type-options',
        ...responsePlaces(1),
        'stderr.1',
        'stderr.2',
      ],
    },
  },
  {
    id: 'express3-form-prototype',
    clauses: ['F-9.3-32'],
    differs: 'The name `__proto__` in a form is ignored; in Express 3 it sets a prototype',
    why: 'Only attackers send that name.',
    scenarios: {
      '9-express3/9.3-bodies: urlencoded does not change prototypes': ['1.body', '1.headers.etag'],
    },
  },
  {
    id: 'express3-form-mixes',
    clauses: ['F-9.3-32'],
    differs:
      'A form with the names `a[b]` and `a` gives a list of both values; in Express 3 the second value becomes a name of the object',
    why: 'Forms are parsed by the current body-parser. In Express 3 the value is lost.',
    scenarios: {
      '9-express3/9.3-bodies: a form can repeat a name as an object and as a value': [
        '1.body',
        '1.headers.content-length',
        '1.headers.etag',
      ],
    },
  },
  {
    id: 'express3-session-spelling',
    clauses: ['F-9.3-116'],
    differs: '`session` spells the header `Set-Cookie`; in Express 3 it spells `set-cookie`',
    why: '`session` is the current express-session. Header names are case-insensitive.',
    scenarios: {
      '9-express3/9.3-cookies: session stores sessions on the server': ['1.headers', '3.headers'],
      '9-express3/9.3-csrf: csrf ties tokens to a session that the server stores': [
        '1.headers',
        '2.headers',
        '3.headers',
      ],
    },
  },
  {
    id: 'express3-listing-nosniff',
    clauses: ['F-9.3-118', 'F-9.3-119', 'F-9.3-120', 'F-9.3-121', 'F-9.3-122'],
    differs:
      'A listing of `directory` has the header `X-Content-Type-Options: nosniff`; in Express 3 it does not',
    why: '`directory` is the current serve-index. The header protects from files whose names a user chose.',
    scenarios: {
      '9-express3/9.3-served-files: directory lists names as JSON and text, and omits hidden files by default':
        sniffing(1, 2, 3),
      '9-express3/9.3-served-files: directory lists the files that its filter accepts': sniffing(1),
      '9-express3/9.3-served-files: directory sends a page, with icons if the option icons is set': sniffing(
        1,
        2,
      ),
    },
  },
  {
    id: 'express3-static',
    clauses: ['F-9.3-125'],
    differs:
      '`static` works as in 5.x: current media types, 301 for directories, no file below a folder that begins with a dot, malformed ranges ignored',
    why: 'One middleware serves files for both versions. Hidden folders such as `.git` must not be served by mistake.',
    scenarios: {
      '9-express3/9.3-served-files: static serves files and handles conditional requests and ranges': [
        ...[1, 2, 3, 5, 9].map((exchange) => `${exchange}.headers.content-type`),
        '9.status',
        '9.headers.content-range',
        '9.headers.content-length',
        '9.body',
      ],
      '9-express3/9.3-served-files: static redirects a directory to its path with a slash': [
        '1.status',
        '1.headers.content-length',
        '1.body',
        '1.headers.content-security-policy',
      ],
      // biome-ignore format: a table
      '9-express3/9.3-served-files: static serves hidden files with the option hidden, and nothing in a hidden folder':
        [
          '3.status', '3.headers.accept-ranges', '3.headers.cache-control', '3.headers.content-type',
          '3.headers.content-length', '3.body', ...sniffing(3),
        ],
    },
  },
  {
    id: 'express3-compress-br',
    clauses: ['F-9.3-103'],
    differs: '`compress` uses `br` for clients that accept it; in Express 3 it has gzip and deflate only',
    why: '`compress` is the current compression. Only clients that accept `br` receive it.',
    scenarios: {
      '9-express3/9.3-middleware: compress sends br to a client that accepts it': [
        '1.headers.content-encoding',
        '1.body',
      ],
    },
  },
  {
    id: 'express3-logger-dev',
    clauses: ['F-9.3-124'],
    differs:
      'The log format `dev` ends the colour before the space after the status; in Express 3 it ends after the space',
    why: '`logger` is the logger of this package, which equals the current morgan.',
    scenarios: {
      '9-express3/9.3-middleware: logger writes the format dev': ['log.1', 'log.2'],
    },
  },
  {
    id: 'express3-upload-members',
    clauses: ['F-9.3-42', 'F-9.3-43'],
    differs:
      'An uploaded file has `lastModifiedDate`, and its path has an extension only with `keepExtensions`; in Express 3 it has no date, and always the extension',
    why: 'The specification requires both. Express 3.21 dropped the date and always adds the extension.',
    scenarios: {
      '9-express3/9.3-uploads: uploaded files have lastModifiedDate, and a path without their original extension':
        [...responsePlaces(1), ...responsePlaces(2)],
    },
  },
  {
    id: 'express3-favicon-tag',
    clauses: ['F-9.3-01'],
    differs: 'The ETag of a favicon is generated with SHA-1; in Express 3 with MD5',
    why: '`favicon` is the current serve-favicon.',
    scenarios: {
      '9-express3/9.3-middleware: favicon serves an icon, responseTime calls its function, and staticCache misses':
        ['1.headers.etag', '2.asked', '2.headers.etag'],
    },
  },
  {
    id: 'express3-error-page',
    clauses: ['F-9.3-01'],
    differs:
      'The page of `errorHandler` has the name of this framework as its heading, and its JSON is indented',
    why: '`errorHandler` is the current errorhandler. Applications can set `errorHandler.title`.',
    scenarios: {
      '9-express3/9.3-middleware: errorHandler sends an error as HTML, JSON and text': [
        '1.body',
        '1.headers.content-length',
        '2.body',
        '2.headers.content-length',
      ],
    },
  },
];

/** Returns the place of the header `X-Content-Type-Options` for each of the exchanges. */
function sniffing(...exchanges: number[]): string[] {
  return exchanges.map((exchange) => `${exchange}.headers.x-content-type-options`);
}
