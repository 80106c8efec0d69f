/** Decides which requests are similar, so that a recording needs only one of them. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { unescape as decodePercent } from 'node:querystring';

/** A request that has been responded to. */
export interface Answered {
  readonly req: IncomingMessage;
  readonly target: string;
  readonly status: number;
  /** The value of Content-Type of the response. */
  readonly type: string | undefined;
  readonly asked: Buffer | undefined;
  readonly sent: Buffer | undefined;
}

/** Methods that should not change the state of an application. RFC 9110 §9.2.1, and QUERY */
const SAFE = /^(?:GET|HEAD|OPTIONS|TRACE|QUERY|PROPFIND|REPORT|SEARCH)$/;
/** Headers whose presence changes a response: of conditions, ranges, proxies, and of who sends the request. */
const TELLING =
  /^(?:range|if-[a-z-]+|x-forwarded-[a-z-]+|forwarded|origin|authorization|cookie|accept-encoding|x-requested-with|prefer|expect)$/;
/** Headers whose value changes a response. */
const TELLING_VALUE =
  /^(?:x-forwarded-proto|x-http-method-override|x-http-method|x-method-override|soapaction|x-amz-target)$/;
/** Members and parameters whose value names an operation of an API with one path. */
const OPERATION =
  /^(?:action|cmd|command|do|event|function|func|method|op|operation|operationName|rpc|task|type)$/i;
/** The part of a body that is read to compare it, in bytes. */
const READ = 20_000;
const MAX_OPERATION_LENGTH = 100;

/**
 * Whether a request may change the state of the application, so that each one is recorded. A GraphQL request that contains
 * only queries does not.
 */
export function changesState(method: string | undefined, body: Buffer | undefined): boolean {
  return !SAFE.test(method ?? 'GET') && !isQuery(body);
}

/** Returns a key that is equal for similar requests. Clients choose how long its parts are, so it is a hash. */
export function kindOf({ req, target, status, type, asked, sent }: Answered): string {
  const names = [...new URLSearchParams(target.split('?')[1] ?? '').keys()];
  return hashOf([
    req.method,
    routeOf(req, target),
    [...new Set(names)].sort(),
    status,
    type,
    headersOf(req),
    operationsOf(target, asked),
    shapeOf(asked),
    shapeOf(sent),
  ]);
}

/** Returns a key that is equal for requests with the same method and path, ids replaced. */
export function pathKind(method: string | undefined, target: string): string {
  return hashOf([method, toRoute(target)]);
}

function hashOf(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

function headersOf({ headers }: IncomingMessage): string[] {
  return Object.keys(headers)
    .filter((name) => TELLING.test(name) || TELLING_VALUE.test(name))
    .map((name) => (TELLING_VALUE.test(name) ? `${name}=${headers[name]}` : name))
    .sort();
}

/** Returns the path pattern of the route that Express matched; the path with `:id` for ids if it has a wildcard, or none matched. */
function routeOf(req: IncomingMessage, target: string): string {
  const { route, baseUrl = '' } = req as { route?: { path?: unknown }; baseUrl?: string };
  // One route with a wildcard may serve all pages.
  return typeof route?.path !== 'string' || /[*(]/.test(route.path)
    ? toRoute(target)
    : `${baseUrl}${route.path}`;
}

/** Removes the query, and replaces path segments that look like ids (numbers, UUIDs, long random texts) with `:id`. */
function toRoute(target: string): string {
  return (target.split('?', 1)[0] ?? '')
    .split('/')
    .map((part) => (/^\d+$|^[\da-f-]{16,}$|^(?=.*\d)[\w-]{20,}$/i.test(part) ? ':id' : part))
    .join('/');
}

/** Names the operations of GraphQL, RPC and SOAP in a body or a query: one path has many. */
function operationsOf(target: string, asked: Buffer | undefined): string[] {
  const found = new Set<string>();
  for (const [name, value] of new URLSearchParams(target.split('?')[1] ?? ''))
    if (OPERATION.test(name)) found.add(`${name}=${value.slice(0, MAX_OPERATION_LENGTH)}`);
    else if (name === 'query') for (const field of fieldsOf(value)) found.add(field);
  const text = asked?.toString('utf8', 0, READ) ?? '';
  for (const [, name = '', value = ''] of text.matchAll(/"(\w{2,20})"\s*:\s*"([^"\\]{1,100})"/g))
    if (OPERATION.test(name)) found.add(`${name}=${value}`);
  for (const [, name = '', value = ''] of text.matchAll(/(?:^|&)(\w{2,20})=([^&\s]{1,100})/g))
    if (OPERATION.test(name)) found.add(`${name}=${decodePercent(value)}`);
  for (const query of queriesIn(text)) for (const field of fieldsOf(query)) found.add(field);
  const [, first] = /<(?:\w+:)?Body\b[^>]{0,500}>\s*<((?:\w+:)?\w{1,100})/.exec(text) ?? [];
  if (first !== undefined) found.add(first);
  return [...found].sort();
}

/** The name of a GraphQL document and its first field, by which queries without a name differ. */
function fieldsOf(query: string): string[] {
  const [found, kind = 'query', name = '', field = ''] =
    /^\s*(?:(query|mutation|subscription)\b\s*(\w{0,100}))?[^{]{0,500}\{\s*(\w{1,100})/.exec(
      query.slice(0, READ),
    ) ?? [];
  return found === undefined ? [] : [`${kind} ${name} ${field}`];
}

function queriesIn(text: string): string[] {
  return Array.from(text.matchAll(/"query"\s*:\s*"((?:[^"\\]|\\.){1,5000})"/g), ([, query = '']) =>
    query.replace(/\\n/g, '\n'),
  );
}

/** Whether a body has queries of GraphQL, and no mutation or subscription. */
function isQuery(body: Buffer | undefined): boolean {
  const text = body?.toString('utf8', 0, READ) ?? '';
  if (!/^\s*[[{]/.test(text)) return false;
  const queries = queriesIn(text);
  return (
    queries.length > 0 &&
    queries.every((query) => /^\s*(?:query\b|\{)/.test(query) && !/\bmutation\b/.test(query))
  );
}

/** Returns the names of JSON members and form fields in the first 20,000 bytes. Equal names make bodies similar. */
function shapeOf(body: Buffer | undefined): string {
  if (!body || body.length === 0) return '';
  const text = body.toString('utf8', 0, READ);
  const names = text.match(/"[^"\\]{1,60}"\s*:|name="[^"]{1,60}"|(?:^|&)[\w.[\]-]{1,60}=/g) ?? [];
  return [...new Set(names)].sort().join('');
}
