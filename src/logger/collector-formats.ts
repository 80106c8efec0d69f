/**
 * The formats `ecs` and `otel`, which morgan does not have: one object per line, in the shapes that log collectors read.
 * The level depends on the status: error from 500, warning from 400, otherwise information.
 */
import { formatJson, lineOf } from './json';
import type { LoggedRequest, LoggedResponse } from './logged-messages';
import { type Tokens, unescaped } from './token-table';

/** One request in the Elastic Common Schema. https://www.elastic.co/docs/reference/ecs/logging/intro */
export function formatEcs(tokens: Tokens, req: LoggedRequest, res: LoggedResponse): object {
  const line = formatJson(tokens, req, res);
  const { method, status, url, totalTime } = line;
  const { path, query } = partsOf(url);
  const text = textOf(tokens, req, res);
  return lineOf({
    '@timestamp': line.time,
    'log.level': LEVELS[levelOf(status)].ecs,
    message: messageOf(line),
    'ecs.version': '8.11.0',
    event: {
      category: ['web'],
      type: ['access'],
      // Nanoseconds.
      duration: totalTime === null ? undefined : Math.round(totalTime * 1e6),
      outcome: status === null ? 'unknown' : status < 400 ? 'success' : 'failure',
    },
    http: {
      version: text('http-version'),
      request: { id: line.requestId, method, referrer: line.referrer ?? undefined },
      response: { status_code: status ?? undefined, bytes: line.bytesSent ?? undefined },
    },
    url: { original: url, path, query },
    client: { address: line.remoteAddress ?? undefined },
    user_agent: { original: line.userAgent ?? undefined },
    labels: line.route === null ? undefined : { route: line.route },
    trace: idOf(text('trace-id')),
    span: idOf(text('span-id')),
  });
}

const SERVICE = process.env.OTEL_SERVICE_NAME || 'unknown_service:node';

/**
 * One request as OTLP in JSON, as the receiver `otlpjsonfile` of the OpenTelemetry Collector reads it. The attributes
 * have the names of the semantic conventions for HTTP. https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function formatOtel(tokens: Tokens, req: LoggedRequest, res: LoggedResponse): object {
  const line = formatJson(tokens, req, res);
  const { path, query } = partsOf(line.url);
  const text = textOf(tokens, req, res);
  const level = LEVELS[levelOf(line.status)];
  const attributes = {
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
    'http.server.request.duration': line.totalTime === null ? null : { doubleValue: line.totalTime / 1000 },
    'request.id': line.requestId,
  };
  const record = {
    timeUnixNano: `${Date.parse(line.time)}000000`,
    severityNumber: level.number,
    severityText: level.otel,
    body: { stringValue: messageOf(line) },
    attributes: attributesOf(attributes),
    traceId: text('trace-id'),
    spanId: text('span-id'),
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

function levelOf(status: number | null): keyof typeof LEVELS {
  if (status === null || status < 400) return 'information';
  return status < 500 ? 'warning' : 'error';
}

function messageOf({ method, url, status }: ReturnType<typeof formatJson>): string {
  return `${method} ${url} ${status ?? '-'}`;
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

type Attribute = string | number | { doubleValue: number } | null | undefined;

/** Returns the attributes that have a value. OTLP writes 64-bit integers as strings. */
function attributesOf(values: Readonly<Record<string, Attribute>>): object[] {
  return Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => {
      if (typeof value === 'object') return { key, value };
      return { key, value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) } };
    });
}
