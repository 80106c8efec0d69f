/** Checks that recorded requests and responses match an OpenAPI document. */
import { parse as parseQuery } from 'node:querystring';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import type { Document, JsonSchema, Operation, Parameter } from 'nozomi/openapi';
import type { RecordedRequest } from '../application/traffic';

/** Values of paths and queries are text, so they are converted first. */
const ofText = new Ajv2020({ strict: false, validateFormats: false, coerceTypes: 'array', allErrors: true });
const ofJson = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly operation: Operation;
  readonly ofPath: readonly Parameter[];
  readonly ofQuery: readonly Parameter[];
  /** What its schemas refer to. */
  readonly components: Document['components'];
}

export interface Checked {
  /** What does not match, one line each: `GET /users/x: path id must be number`. */
  readonly problems: readonly string[];
  /** The number of requests that the document describes. */
  readonly checked: number;
}

/**
 * Checks each request with a recorded response. One whose response has a status from 400 need not match, because the
 * application has refused it.
 */
export function checkTraffic(document: Document, requests: readonly RecordedRequest[]): Checked {
  const routes = routesOf(document);
  const problems: string[] = [];
  let checked = 0;
  for (const one of requests) {
    const { recorded = 0 } = one;
    if (recorded === 0 || one.method === 'OPTIONS') continue;
    const method = one.method === 'HEAD' ? 'get' : one.method.toLowerCase();
    const [path = '', query = ''] = one.target.split(/\?(.*)/s);
    const route = routes.find((each) => each.method === method && each.pattern.test(path));
    if (!route) {
      if (recorded < 400) problems.push(`${one.id}: no operation, but its response is ${recorded}`);
      continue;
    }
    checked++;
    if (recorded >= 400) continue;
    for (const text of [...requestProblems(route, path, query, one), ...responseProblems(route, one)])
      problems.push(`${one.id}: ${text}`);
  }
  return { problems, checked };
}

function routesOf({ paths, components }: Document): Route[] {
  return Object.entries(paths).flatMap(([template, operations]) => {
    const source = template
      .split(/\{[^}]+\}/)
      .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('([^/]+)');
    // As in Express: in any letter case, and with or without a slash at the end.
    const pattern = new RegExp(`^${source.replace(/\/$/, '')}/?$`, 'i');
    return Object.entries(operations).map(([method, operation]) => ({
      method,
      pattern,
      operation,
      ofPath: operation.parameters.filter((each) => each.in === 'path'),
      ofQuery: operation.parameters.filter((each) => each.in === 'query'),
      components,
    }));
  });
}

function requestProblems(route: Route, path: string, query: string, one: RecordedRequest): string[] {
  const { operation, components } = route;
  const { requestBody } = operation;
  const [, ...values] = route.pattern.exec(path) ?? [];
  const given = Object.fromEntries(route.ofPath.map(({ name }, i) => [name, decode(values[i] ?? '')]));
  const problems = [
    ...parameterProblems('path', route.ofPath, given, components),
    ...parameterProblems('query', route.ofQuery, { ...parseQuery(query) }, components),
  ];
  const { schema } = requestBody?.content['application/json'] ?? {};
  // A form has the same members as JSON, but as text.
  if (schema && isJson(one.headers))
    problems.push(...jsonProblems('body', schema, components, String(one.payload)));
  return problems;
}

function responseProblems({ operation, components }: Route, one: RecordedRequest): string[] {
  const { responses } = operation;
  const { method, answer, recorded = 0 } = one;
  const described = responses[recorded] ?? responses[`${Math.floor(recorded / 100)}XX`];
  const { schema } = described?.content?.['application/json'] ?? {};
  if (!schema || !answer || method === 'HEAD' || !isJson(answer.headers)) return [];
  return jsonProblems('response', schema, components, answer.body);
}

function parameterProblems(
  place: string,
  parameters: readonly Parameter[],
  given: object,
  components: Document['components'],
): string[] {
  const toSchema = (): JsonSchema => ({
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter((each) => each.required).map(({ name }) => name),
    components,
  });
  return schemaProblems(ofText, place, parameters, toSchema, given);
}

function jsonProblems(
  place: string,
  schema: JsonSchema,
  components: Document['components'],
  text: string,
): string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [`${place} is not JSON`];
  }
  return schemaProblems(ofJson, place, schema, () => ({ components, ...schema }), value);
}

/** The compiled schemas, each by the object of the document that it belongs to. */
const compiled = new WeakMap<object, ValidateFunction>();

function schemaProblems(
  ajv: Ajv2020,
  place: string,
  key: object,
  toSchema: () => JsonSchema,
  value: unknown,
): string[] {
  const isValid = compiled.get(key) ?? ajv.compile(toSchema());
  compiled.set(key, isValid);
  if (isValid(value)) return [];
  return (isValid.errors ?? []).map(
    ({ instancePath, message }) => `${place}${instancePath.replaceAll('/', '.')} ${message}`,
  );
}

function isJson(headers: RecordedRequest['headers']): boolean {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return /^application\/([\w.-]+\+)?json\b/i.test(type);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
