/** What users type into the search of the site, each with the title of the page that must be among the first three. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GROUPS } from '../group';
import { referencePages } from './reference';
import { type Index, search } from './search';

const FIRST = 3;
const root = join(__dirname, '..', '..');

/** The file of the page, or the name of a member. */
const QUERIES: readonly (readonly [query: string, page: string])[] = [
  ['install', 'docs/getting-started.md'],
  ['alias', 'docs/getting-started.md'],
  ['hello world', 'docs/getting-started.md'],
  ['migrate', 'docs/migrate.md'],
  ['express 4', 'docs/express4.md'],
  ['express 3', 'docs/express3.md'],
  ['bodyParser', 'docs/express3-middleware.md'],
  ['morgan', 'docs/switching.md'],
  ['json logs', 'docs/logging.md'],
  ['request id', 'docs/logging.md'],
  ['docker', 'docs/deployment.md'],
  ['kubernetes', 'docs/deployment.md'],
  ['nginx', 'docs/deployment.md'],
  ['systemd', 'docs/deployment.md'],
  ['cluster', 'docs/deployment.md'],
  ['graceful shutdown', 'docs/security/graceful-end.md'],
  ['lambda', 'docs/runtimes.md'],
  ['serverless', 'docs/serverless.md'],
  ['WebSocket', 'docs/websockets.md'],
  ['http2', 'docs/transports.md'],
  ['bun', 'docs/runtimes.md'],
  ['supertest', 'docs/testing.md'],
  ['jest', 'docs/testing.md'],
  ['test without port', 'docs/testing.md'],
  ['login', 'docs/authentication.md'],
  ['session', 'docs/authentication.md'],
  ['upload', 'docs/uploads.md'],
  ['multer', 'docs/uploads.md'],
  ['zod', 'docs/schemas.md'],
  ['openapi', 'docs/schemas.md'],
  ['timeout', 'docs/timeouts.md'],
  ['error handler', 'docs/error-handling.md'],
  ['404', 'docs/error-handling.md'],
  ['async errors', 'docs/error-handling.md'],
  ['req.params', 'req.params'],
  ['query string', 'req.query'],
  ['sendFile', 'res.sendFile'],
  ['redirect', 'res.redirect'],
  ['set cookie', 'res.cookie'],
  ['static files', 'docs/static-files.md'],
  ['brotli', 'docs/static-files.md'],
  ['trust proxy', 'docs/settings.md'],
  ['X-Forwarded-For', 'req.ip'],
  ['NOZOMI_HOST_INVALID', 'docs/errors.md'],
  ['argument handler must be a function', 'docs/errors.md'],
  ['Missing parameter name at index 1', 'docs/errors.md'],
  ['Cannot set headers after they are sent', 'docs/errors.md'],
  ['vulnerability', 'SECURITY.md'],
  ['benchmark', 'docs/performance.md'],
  ['route does not match', 'docs/routes-and-doctor.md'],
];

/** Names that must be found, each with its page; on any page if there is none. */
const NAMES: readonly (readonly [name: string, page?: string])[] = [
  ...namesIn('docs/errors.md').map((code) => [code, 'docs/errors.md'] as const),
  ...namesIn('docs/settings.md').map((setting) => [setting, 'docs/settings.md'] as const),
  ...namesIn('docs/routes-and-doctor.md').map((code) => [code, 'docs/routes-and-doctor.md'] as const),
  ...referencePages().flatMap(({ children }) => children.map(({ title }) => [title, title] as const)),
  ...Object.entries(GROUPS).flatMap(([group, commands]) =>
    Object.keys(commands).map((name) => [`npm run ${group} -- ${name}`] as const),
  ),
  ...headersInClauses().map((header) => [header] as const),
];

/** @returns The number of queries and of names, and one line for each whose page is not among the first results. */
export function trySearch(index: Index): { queries: number; names: number; lost: string[] } {
  const lost = [...QUERIES, ...NAMES].flatMap(([query, page]) => {
    const found = search(index, query)
      .slice(0, FIRST)
      .map(({ title }) => title);
    const wanted = page?.endsWith('.md') ? headingOf(page) : page;
    if (wanted === undefined ? found.length > 0 : found.includes(wanted)) return [];
    return [
      `search for "${query}": expected "${wanted ?? 'any page'}", found ${found.join(' · ') || 'nothing'}`,
    ];
  });
  return { queries: QUERIES.length, names: NAMES.length, lost };
}

function headingOf(file: string): string {
  return /^# (.*)$/m.exec(read(file))?.[1] ?? file;
}

/** @returns The first cells of the tables of a page that are one name. */
function namesIn(file: string): string[] {
  return [...read(file).matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
}

/** @returns The names of headers, such as `Content-Type`, that the specification of the framework writes as code. */
function headersInClauses(): string[] {
  const names = read('spec/framework.md').matchAll(
    /`((?:[A-Z][A-Za-z]*-)+[A-Z][A-Za-z]*|ETag|Vary|Link|Allow)`/g,
  );
  return [...new Set([...names].map(([, name = '']) => name))];
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
