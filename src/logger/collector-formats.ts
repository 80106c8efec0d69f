/**
 * The formats `ecs` and `otel`, which morgan does not have: one object per line, in the shapes that log collectors read.
 * The level depends on the status: error from 500, warning from 400 and if the client has left, otherwise information.
 */
import { isIP } from 'node:net';
import type { Extras } from './extras';
import { type JsonLine, lineOf, readLine } from './json';
import type { LoggedRequest, LoggedResponse } from './logged-messages';
import { type Tokens, unescaped } from './token-table';

/** One request in the Elastic Common Schema. https://www.elastic.co/docs/reference/ecs/logging/intro */
export function formatEcs(tokens: Tokens, req: LoggedRequest, res: LoggedResponse, extras?: Extras): object {
  const read = readLine(tokens, req, res, extras);
  const line = shownOf(read, extras);
  const { method, status, url, totalTime, remoteAddress } = line;
  const { path, query } = partsOf(url);
  const text = textOf(tokens, req, res);
  const shaped: Record<string, unknown> = lineOf({
    '@timestamp': line.time,
    'log.level': LEVELS[levelOf(read)].ecs,
    message: messageOf(line),
    'ecs.version': '8.11.0',
    event: {
      category: ['web'],
      type: ['access'],
      // Nanoseconds.
      duration: typeof totalTime === 'number' ? Math.round(totalTime * 1e6) : undefined,
      outcome: outcomeOf(read),
    },
    http: {
      version: text('http-version'),
      request: { id: line.requestId, method, referrer: line.referrer ?? undefined },
      response: { status_code: status ?? undefined, bytes: line.bytesSent ?? undefined },
    },
    url: { original: url, path, query },
    client: {
      address: remoteAddress ?? undefined,
      // A token that the application redefines may give another text.
      ip: isIP(remoteAddress ?? '') > 0 ? remoteAddress : undefined,
    },
    error: read.aborted ? { type: ABORTED } : undefined,
    user_agent: { original: line.userAgent ?? undefined },
    labels: line.route === null ? undefined : { route: line.route },
    trace: idOf(line.traceId),
    span: idOf(line.spanId),
  });
  if (!extras) return shaped;
  for (const [name, value] of Object.entries(extras.fields(req, res)))
    shaped[name] = isObject(value) && isObject(shaped[name]) ? { ...shaped[name], ...value } : value;
  extras.hide(shaped);
  const { client } = shaped;
  // Hiding the address hides the IP address, which is the same value. The application may have set another one.
  if (isObject(client) && 'ip' in client && client.ip === remoteAddress) {
    if (Reflect.get(client, 'address') !== remoteAddress) client.ip = undefined;
  }
  return shaped;
}

/** Returns the values to show. Level and outcome come from those that were read, even if the line hides them. */
function shownOf(read: JsonLine, extras: Extras | undefined): JsonLine {
  if (!extras) return read;
  const shown = { ...read };
  extras.hide(shown);
  return shown;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The type of the error if the client closed the connection before the whole response was sent. */
const ABORTED = 'aborted';

function outcomeOf({ status, aborted }: JsonLine): 'success' | 'failure' | 'unknown' {
  if (aborted) return 'failure';
  if (status === null) return 'unknown';
  return status < 400 ? 'success' : 'failure';
}

const SERVICE = process.env.OTEL_SERVICE_NAME || 'unknown_service:node';

/**
 * One request as OTLP in JSON, as the receiver `otlpjsonfile` of the OpenTelemetry Collector reads it. The attributes
 * have the names of the semantic conventions for HTTP. https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function formatOtel(tokens: Tokens, req: LoggedRequest, res: LoggedResponse, extras?: Extras): object {
  const read = readLine(tokens, req, res, extras);
  const line = shownOf(read, extras);
  const { path, query } = partsOf(line.url);
  const text = textOf(tokens, req, res);
  const level = LEVELS[levelOf(read)];
  const attributes: Record<string, unknown> = {
    'http.request.method': line.method,
    'http.response.status_code': line.status,
    'http.route': line.route,
    'url.path': path,
    'url.query': query,
    'client.address': line.remoteAddress,
    'user_agent.original': line.userAgent,
    'network.protocol.version': text('http-version'),
    'http.response.size': line.bytesSent,
    // Seconds, as in the metric of this name.
    'http.server.request.duration':
      typeof line.totalTime === 'number' ? { doubleValue: line.totalTime / 1000 } : line.totalTime,
    'request.id': line.requestId,
    'error.type': read.aborted ? ABORTED : null,
    ...extras?.fields(req, res),
  };
  extras?.hide(attributes);
  const record = {
    timeUnixNano: `${Date.parse(read.time)}000000`,
    severityNumber: level.number,
    severityText: level.otel,
    body: { stringValue: messageOf(line) },
    attributes: attributesOf(attributes),
    traceId: line.traceId,
    spanId: line.spanId,
  };
  const resource = { attributes: attributesOf({ 'service.name': SERVICE }) };
  const scope = { name: 'nozomi/logger' };
  return lineOf({ resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: [record] }] }] });
}

const LEVELS = {
  error: { ecs: 'error', otel: 'ERROR', number: 17 },
  warning: { ecs: 'warn', otel: 'WARN', number: 13 },
  information: { ecs: 'info', otel: 'INFO', number: 9 },
} as const;

function levelOf({ status, aborted }: JsonLine): keyof typeof LEVELS {
  if (status === null || status < 400) return aborted ? 'warning' : 'information';
  return status < 500 ? 'warning' : 'error';
}

function messageOf({ method, url, status, aborted }: JsonLine): string {
  return `${method ?? '-'} ${url ?? '-'} ${status ?? '-'}${aborted ? ' aborted' : ''}`;
}

function partsOf(url: string | null): { path: string | undefined; query: string | undefined } {
  const [path, ...query] = url?.split('?') ?? [];
  return { path, query: query.length > 0 ? query.join('?') : undefined };
}

/** Returns a function for the value of a token, undefined if it is empty. */
function textOf(
  tokens: Tokens,
  req: LoggedRequest,
  res: LoggedResponse,
): (name: string) => string | undefined {
  return (name) => {
    const value = unescaped(tokens[name])?.call(tokens, req, res);
    return value ? String(value) : undefined;
  };
}

function idOf(id: string | undefined): { id: string } | undefined {
  return id === undefined ? undefined : { id };
}

/** Returns the attributes that have a value. OTLP writes 64-bit integers as strings. */
function attributesOf(values: Readonly<Record<string, unknown>>): object[] {
  return Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => ({ key, value: attributeOf(value) }));
}

function attributeOf(value: unknown): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (isObject(value) && 'doubleValue' in value) return value;
  return { stringValue: JSON.stringify(value) ?? String(value) };
}
