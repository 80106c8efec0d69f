// What is asked of every peer: one request each, and what a right answer to it is. The peers' programs are in peers/.

export interface Workload {
  name: string;
  /** One line for the table's legend. */
  about: string;
  method: string;
  target: string;
  fields?: Readonly<Record<string, string>>;
  body?: string;
  /** What every peer must answer; header fields are compared among those that claim Express's bytes. */
  status: number;
  answer: string;
}

const page = 'Hello World';
const record = { id: 42, name: 'Nozomi', stops: ['Tokyo', 'Nagoya', 'Osaka'], onTime: true };

/** The value the JSON workloads answer with. */
export const RECORD: Readonly<Record<string, unknown>> = record;
export const PAGE: string = page;
export const ROUTE_COUNTS: readonly number[] = [100, 1000, 5000];

const kilobyte = JSON.stringify({
  rows: Array.from({ length: 18 }, (_, id) => ({ id, name: `row number ${id}`, ok: true })),
});
const hundred = JSON.stringify({
  rows: Array.from({ length: 1800 }, (_, id) => ({
    id,
    name: `row number ${id}`,
    note: 'plain text',
    ok: true,
  })),
});
const form = Array.from({ length: 20 }, (_, i) => `field${i}=value+number+${i}%21`).join('&');

export const WORKLOADS: readonly Workload[] = [
  { name: 'hello', about: 'a short text', method: 'GET', target: '/', status: 200, answer: page },
  {
    name: 'json',
    about: 'a small object',
    method: 'GET',
    target: '/json',
    status: 200,
    answer: JSON.stringify(record),
  },
  {
    name: 'params',
    about: 'two parameters and a query',
    method: 'GET',
    target: '/lines/tokaido/trains/42?fields=name&limit=10',
    status: 200,
    answer: JSON.stringify({ line: 'tokaido', train: '42', fields: 'name', limit: '10' }),
  },
  {
    name: 'middleware',
    about: 'ten middlewares and three nested routers',
    method: 'GET',
    target: '/a/b/c/end',
    status: 200,
    answer: page,
  },
  {
    name: 'subapp',
    about: 'an application three deep',
    method: 'GET',
    target: '/a/b/c',
    status: 200,
    answer: page,
  },
  ...ROUTE_COUNTS.flatMap((count) => [
    route(`routes-${count}`, `the last of ${count} routes`, count - 1, 200),
    route(`routes-${count}-middle`, `the middle one of ${count} routes`, count / 2, 200),
    route(`routes-${count}-404`, `no route among ${count}`, count + 7, 404),
  ]),
  post('post-1k', 'a JSON body of 1 kB', 'application/json', kilobyte),
  post('post-100k', 'a JSON body of 100 kB', 'application/json', hundred),
  post('form', 'a form of 20 fields', 'application/x-www-form-urlencoded', form),
  { name: 'headers', about: 'twelve header fields', method: 'GET', target: '/', status: 200, answer: page },
  {
    name: 'no-etag',
    about: 'a short text without ETag',
    method: 'GET',
    target: '/',
    status: 200,
    answer: page,
  },
  {
    name: 'logged-combined',
    about: 'hello, logged as combined',
    method: 'GET',
    target: '/',
    status: 200,
    answer: page,
  },
  {
    name: 'logged-dev',
    about: 'hello, logged as dev',
    method: 'GET',
    target: '/',
    status: 200,
    answer: page,
  },
  {
    name: 'static-10k',
    about: 'a file of 10 kB',
    method: 'GET',
    target: '/10k.txt',
    status: 200,
    answer: fileOf(10_000),
  },
  {
    name: 'static-1m',
    about: 'a file of 1 MB',
    method: 'GET',
    target: '/1m.txt',
    status: 200,
    answer: fileOf(1_000_000),
  },
  {
    name: 'static-range',
    about: '1 kB out of a file of 10 kB',
    method: 'GET',
    target: '/10k.txt',
    fields: { Range: 'bytes=1000-1999' },
    status: 206,
    answer: fileOf(10_000).slice(1000, 2000),
  },
  {
    name: 'static-304',
    about: 'a file the client has',
    method: 'GET',
    target: '/10k.txt',
    fields: { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
    status: 304,
    answer: '',
  },
];

export function workload(name: string): Workload {
  const found = WORKLOADS.find((one) => one.name === name);
  if (!found)
    throw new Error(`wanted a workload out of ${WORKLOADS.map((one) => one.name).join(', ')}; got ${name}`);
  return found;
}

/** The number of routes a workload's name asks for. */
export function routeCount(name: string): number {
  return Number(/^routes-(\d+)/.exec(name)?.[1] ?? 0);
}

/** The path of one of many routes: under one prefix, with a parameter, as in a real interface. */
export function routePath(index: number): string {
  return `/api/v1/resource${index}/:id`;
}

export function fileOf(size: number): string {
  const line = 'The train now arriving at platform 14 is the Nozomi super express.\n';
  return line.repeat(Math.ceil(size / line.length)).slice(0, size);
}

function route(name: string, about: string, index: number, status: number): Workload {
  const answer = status === 200 ? `${index}:7` : '';
  return { name, about, method: 'GET', target: `/api/v1/resource${index}/7`, status, answer };
}

function post(name: string, about: string, type: string, body: string): Workload {
  return {
    name,
    about,
    method: 'POST',
    target: '/',
    fields: { 'Content-Type': type },
    body,
    status: 200,
    answer: 'ok',
  };
}
