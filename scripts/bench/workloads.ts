// Lists the workloads of the benchmarks. Each has one request and the expected response. The servers of the peers are in
// programs/.
import { toNames } from '../command';

export interface Workload {
  name: string;
  /** The description that tables and charts show. */
  about: string;
  /** The name of the workload's code in the files of programs/. A peer without this code is not measured. */
  program: string;
  /** Number of routes to register. */
  routes?: number;
  /**
   * `own`: `http.createServer(app)`; `wrapped`: a function that calls `app(req, res)`; `http2`: `http2.createServer(app)`;
   * default `app.listen`.
   */
  server?: 'own' | 'wrapped' | 'http2';
  /** The key and the certificate of a server of `http2` that uses TLS. */
  tls?: { key: string; cert: string };
  /** The format of the logger. */
  format?: 'combined' | 'dev' | 'json';
  method: string;
  target: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** The expected status of the response. */
  status: number;
  /** The expected body of the response; undefined if peers may send any body. */
  answer?: string;
}

type Parts = Partial<Omit<Workload, 'name' | 'about' | 'program'>>;

const PAGE = 'Hello World';
const RECORD = { id: 42, name: 'Nozomi', stops: ['Tokyo', 'Nagoya', 'Osaka'], onTime: true };

const rows = (count: number, more: object = {}): string =>
  JSON.stringify({
    rows: Array.from({ length: count }, (_, id) => ({ id, name: `row number ${id}`, ...more, ok: true })),
  });
const form = Array.from({ length: 20 }, (_, i) => `field${i}=value+number+${i}%21`).join('&');

const LISTENING: readonly Workload[] = [
  get('hello', 'a short text'),
  get('json', 'a small object', 'json', { answer: JSON.stringify(RECORD) }),
  get('json-unicode', 'a small object with text beyond ASCII', 'json', {
    answer: JSON.stringify({ ...RECORD, name: 'のぞみ', stops: ['東京', '名古屋', '新大阪'] }),
  }),
  get('params', 'two parameters and a query', 'params', {
    target: '/lines/tokaido/trains/42?fields=name&limit=10',
    answer: JSON.stringify({ line: 'tokaido', train: '42', fields: 'name', limit: '10' }),
  }),
  get('middleware', 'ten middleware functions and three nested routers', 'middleware', {
    target: '/a/b/c/end',
  }),
  get('subapp', 'an application three deep', 'subapp', { target: '/a/b/c' }),
  ...[100, 1000, 5000].flatMap((count) => [
    route(`routes-${count}-middle`, `the middle one of ${count} routes`, count, count / 2),
    route(`routes-${count}`, `the last of ${count} routes`, count, count - 1),
    route(`routes-${count}-404`, `no route among ${count}`, count, count + 7),
  ]),
  post('post-1k', 'a JSON body of 1 kB', 'application/json', rows(18)),
  post('post-100k', 'a JSON body of 100 kB', 'application/json', rows(1800, { note: 'plain text' })),
  post('form', 'a form of 20 fields', 'application/x-www-form-urlencoded', form),
  get('headers', 'twelve headers', 'headers'),
  get('changing', 'a short text, another one each time', 'changing', { answer: 'Hello 1000000' }),
  get('no-etag', 'a short text, ETags disabled', 'no-etag'),
  get('logged-combined', 'a short text, logged as combined', 'logged', { format: 'combined' }),
  get('logged-dev', 'a short text, logged as dev', 'logged', { format: 'dev' }),
  get('logged-json', 'a short text, logged as a line of JSON', 'logged', { format: 'json' }),
  file('static-10k', 'a file of 10 kB', '/10k.txt', 200, {}, fileOf(10_000)),
  file('static-1m', 'a file of 1 MB', '/1m.txt', 200, {}, fileOf(1_000_000)),
  file(
    'static-range',
    '1 kB out of a file of 10 kB',
    '/10k.txt',
    206,
    { Range: 'bytes=1000-1999' },
    fileOf(10_000).slice(1000, 2000),
  ),
  file(
    'static-304',
    'a file the client has',
    '/10k.txt',
    304,
    { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
    '',
  ),
  {
    ...file(
      'static-precompressed',
      'a precompressed file of 2 kB',
      '/twin.js',
      200,
      { 'Accept-Encoding': 'gzip, deflate, br' },
      fileOf(2000),
    ),
    program: 'precompressed',
  },
];

/** Workloads to measure with `http.createServer(app)`, too. `WRAPPED` lists those with a function around `app`. */
const OWN_SERVER = ['hello', 'json', 'params', 'middleware', 'subapp', 'post-1k', 'logged-combined'];
const WRAPPED = ['hello', 'middleware', 'subapp', 'post-1k'];

export const WORKLOADS: readonly Workload[] = [
  ...LISTENING,
  ...under('own', 'own-server', OWN_SERVER, 'http.createServer(app)'),
  ...under('wrapped', 'wrapped', WRAPPED, 'http.createServer((req, res) => app(req, res))'),
];

function under(
  server: 'own' | 'wrapped',
  suffix: string,
  names: readonly string[],
  code: string,
): Workload[] {
  return LISTENING.filter(({ name }) => names.includes(name)).map((work) => ({
    ...work,
    name: `${work.name}-${suffix}`,
    about: `${work.about}, by ${code}`,
    server,
  }));
}

/** @throws TypeError for an unknown name; its message lists the known ones. */
export function workloadsNamed(names: readonly string[]): Workload[] {
  const known = WORKLOADS.map(({ name }) => name);
  return toNames(names, known, 'workloads').flatMap(
    (name) => WORKLOADS.find((one) => one.name === name) ?? [],
  );
}

export function formatRequest({ method, target, headers = {}, body = '' }: Workload): string {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: 127.0.0.1'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

export function fileOf(size: number): string {
  const line = 'The train now arriving at platform 14 is the Nozomi super express.\n';
  return line.repeat(Math.ceil(size / line.length)).slice(0, size);
}

function get(name: string, about: string, program = 'hello', parts: Parts = {}): Workload {
  return { name, about, program, method: 'GET', target: '/', status: 200, answer: PAGE, ...parts };
}

/** Creates a workload whose routes share a prefix and end with a parameter, as in a REST API. */
function route(name: string, about: string, routes: number, index: number): Workload {
  const target = `/api/v1/resource${index}/7`;
  const shared = { name, about, program: 'routes', routes, method: 'GET', target };
  return index < routes ? { ...shared, status: 200, answer: `${index}:7` } : { ...shared, status: 404 };
}

function post(name: string, about: string, type: string, body: string): Workload {
  const program = type === 'application/json' ? 'post-json' : 'post-form';
  const headers = { 'Content-Type': type };
  return { name, about, program, method: 'POST', target: '/', headers, body, status: 200, answer: 'ok' };
}

function file(
  name: string,
  about: string,
  target: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  answer: string,
): Workload {
  return { name, about, program: 'static', method: 'GET', target, headers, status, answer };
}
