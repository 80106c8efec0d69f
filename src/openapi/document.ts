/** Makes an OpenAPI 3.1 document from routes. */
import { type Commented, commentsOf } from './comments';
import { fieldsOf, type OperationFields } from './fields';
import type { RouteEntry } from './routes';
import { type Convert, type Direction, type JsonSchema, Schemas } from './schema';

export interface Document {
  readonly openapi: '3.1.1';
  readonly info: Info;
  readonly servers: readonly unknown[];
  readonly security: readonly unknown[];
  /** The operations by path and method in lower case, in the order of the routes. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: Components;
  readonly [field: string]: unknown;
}

export interface Components {
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  readonly [kind: string]: unknown;
}

export interface Info {
  readonly title: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: true; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
  readonly [field: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export type Content = Readonly<Record<'application/json', { readonly schema: JsonSchema }>>;

/** The fields of the document, as in OpenAPI, and how to fill it. */
export interface DocumentOptions {
  /** Default: title `API`, version `1.0.0`. */
  readonly info?: Partial<Info>;
  /** Default: the mount path of the application. */
  readonly servers?: readonly unknown[];
  /** The default for all routes. */
  readonly security?: readonly unknown[];
  readonly tags?: readonly unknown[];
  readonly components?: Components;
  readonly externalDocs?: unknown;
  /** The schema of error responses: a Standard Schema or JSON Schema. */
  readonly error?: unknown;
  /** Whether to read the JSDoc comments of handlers, from their source files. Default false. */
  readonly jsdoc?: boolean;
  /** Converts a schema whose library has no Standard JSON Schema. */
  readonly toJsonSchema?: Convert;
}

export interface Described {
  readonly document: Document;
  /** Why some routes or schemas are not in the document, one sentence each. */
  readonly notes: readonly string[];
}

const SCHEMAS = Symbol.for('nozomi.schemas');
const PARTS = ['params', 'query', 'body', 'response'] as const;
type Part = (typeof PARTS)[number];

export function toDocument(routes: readonly RouteEntry[], options: DocumentOptions): Described {
  const { info, servers, security, tags, components, externalDocs, error, jsdoc, toJsonSchema } = options;
  const schemas = new Schemas(components?.schemas ?? {}, toJsonSchema);
  const notes: string[] = [];
  const builder = new OperationBuilder(
    schemas,
    errorContent(schemas, error),
    jsdoc ? commentsIn(routes) : new Map(),
  );
  const paths: Record<string, Record<string, Operation>> = Object.create(null);
  /** The template by its shape: two that differ only in the names of parameters are the same for OpenAPI. */
  const shapes = new Map<string, string>();
  const names = namesIn(routes);
  for (const route of routes) {
    const templates = templatesOf(route.path);
    if (templates.length === 0) notes.push(`${route.text}: OpenAPI has no paths with regular expressions`);
    for (const [index, template] of templates.entries()) {
      const shape = template.text.replace(/\{[^{}]+\}/g, '{}');
      const known = shapes.get(shape) ?? template.text;
      shapes.set(shape, known);
      // The first route handles the request.
      if (paths[known]?.[route.method]) continue;
      const operation = builder.build(route, { ...template, text: known }, names, index, notes);
      if (!operation) continue;
      const item = paths[known] ?? Object.create(null);
      paths[known] = Object.assign(item, { [route.method]: operation });
    }
  }
  const document: Document = {
    openapi: '3.1.1',
    info: { title: 'API', version: '1.0.0', ...info },
    servers: servers ?? [{ url: '/' }],
    ...(tags && { tags }),
    ...(externalDocs !== undefined && { externalDocs }),
    security: security ?? [],
    paths: uniqueIds(paths),
    ...componentsOf(schemas, components),
  };
  return { document, notes: [...new Set(notes)] };
}

class OperationBuilder {
  readonly #schemas: Schemas;
  readonly #error: Content | undefined;
  readonly #comments: ReadonlyMap<unknown, Commented>;

  constructor(schemas: Schemas, error: Content | undefined, comments: ReadonlyMap<unknown, Commented>) {
    this.#schemas = schemas;
    this.#error = error;
    this.#comments = comments;
  }

  /** @returns Undefined for a route that `describeRoute` hides. */
  build(
    route: RouteEntry,
    template: Template,
    handlers: ReadonlyMap<string, number>,
    index: number,
    notes: string[],
  ): Operation | undefined {
    const comments = route.handlers
      .map((one) => this.#comments.get(one))
      .filter((found) => found !== undefined);
    const given = route.handlers.map(fieldsOf).filter((found) => found !== undefined);
    const {
      hide,
      texts = {},
      parameters: more = [],
      responses: own,
      ...fields
    } = merge([...route.outer, ...comments, ...given]);
    if (hide) return undefined;
    const id = idOf(route, template, index, handlers);
    const name = String(fields.operationId ?? id);
    const { params, query, body, response } = this.#partsOf(route, name, notes);
    const names = parametersIn(template.text);
    const parameters: Parameter[] = [
      ...template.parameters.map(({ name: own, pattern }, position) => ({
        name: names[position] ?? own,
        in: 'path' as const,
        required: true,
        ...(texts[own] && { description: texts[own] }),
        schema: params?.properties?.[own] ?? { type: 'string', ...(pattern && { pattern }) },
      })),
      ...Object.entries(query?.properties ?? {}).map(([own, schema]) => ({
        name: own,
        in: 'query' as const,
        required: query?.required?.includes(own) ?? false,
        ...(texts[own] && { description: texts[own] }),
        schema,
      })),
      ...this.#schemas.resolve(more, 'input', name),
    ];
    const isValidated = Boolean(params || query || body);
    const responses = this.#responses(own, name);
    const success = Object.keys(responses).some((status) => status.startsWith('2'));
    return {
      operationId: id,
      summary: `${route.method.toUpperCase()} ${template.text}`,
      ...this.#schemas.resolve(fields, 'input', name),
      parameters,
      ...(body && { requestBody: { required: true, content: contentOf(body) } }),
      responses: {
        ...(response && !success && { '2XX': { description: 'Success', content: contentOf(response) } }),
        ...(isValidated && { 400: this.#failure('The request does not match its schemas') }),
        default: this.#failure('Any other response'),
        ...responses,
      },
    };
  }

  /** Returns the schemas of all `validate` handlers of a route. Of two for the same part, the first counts. */
  #partsOf(
    { handlers, method, text }: RouteEntry,
    name: string,
    notes: string[],
  ): Partial<Record<Part, JsonSchema>> {
    const found: Partial<Record<Part, JsonSchema>> = {};
    for (const handler of handlers) {
      const given: Partial<Record<Part, unknown>> = Reflect.get(handler, SCHEMAS) ?? {};
      for (const part of PARTS) {
        if (given[part] === undefined || found[part]) continue;
        const direction: Direction = part === 'response' ? 'output' : 'input';
        try {
          const schema = this.#schemas.toJson(given[part], direction, `${name}_${part}`);
          found[part] = part === 'params' || part === 'query' ? this.#objectOf(schema) : schema;
        } catch (err) {
          notes.push(`${method.toUpperCase()} ${text || '/'}: ${part}: ${Object(err).message}`);
        }
      }
    }
    return found;
  }

  /** Follows a reference, because the properties become parameters. */
  #objectOf(schema: JsonSchema): JsonSchema {
    const name = /^#\/components\/schemas\/(.+)$/.exec(String(schema.$ref))?.[1];
    return (name !== undefined && this.#schemas.named[name]) || schema;
  }

  #responses(given: OperationFields['responses'], name: string): Operation['responses'] {
    return Object.fromEntries(
      Object.entries(given ?? {}).map(([status, { schema, ...fields }]) => {
        const isError = !/^[123]/.test(status);
        const own =
          schema === undefined ? undefined : this.#schemas.toJson(schema, 'output', `${name}_${status}`);
        const content = own ? contentOf(own) : isError && !fields.content ? this.#error : undefined;
        const rest = this.#schemas.resolve(fields, 'output', name);
        return [
          status,
          { ...rest, description: rest.description || `Status ${status}`, ...(content && { content }) },
        ];
      }),
    );
  }

  #failure(description: string): { description: string; content?: Content } {
    return { description, ...(this.#error && { content: this.#error }) };
  }
}

type Merged = OperationFields & Commented & { readonly parameters?: readonly Parameter[] };

/** Merges what several places say: the last counts, except that tags and responses add up. */
function merge(all: readonly Merged[]): Merged {
  const tags = [...new Set(all.flatMap(({ tags: own }) => own ?? []))];
  const responses = Object.assign({}, ...all.map(({ responses: own }) => own));
  return Object.assign({}, ...all, { responses }, tags.length > 0 && { tags });
}

function errorContent(schemas: Schemas, error: unknown): Content | undefined {
  if (error === undefined) return undefined;
  const schema = schemas.toJson(error, 'output', 'Error');
  if (schema.$ref) return contentOf(schema);
  schemas.named.Error ??= schema;
  return contentOf({ $ref: '#/components/schemas/Error' });
}

function componentsOf(schemas: Schemas, given: DocumentOptions['components']): Pick<Document, 'components'> {
  const rest = Object.fromEntries(
    Object.entries(given ?? {}).map(([kind, value]) => [kind, schemas.resolve(value, 'output', kind)]),
  );
  const named = Object.entries(schemas.named).map(([name, schema]) => [
    name,
    schemas.toJson(schema, 'output', name),
  ]);
  if (named.length === 0) return given ? { components: rest } : {};
  return { components: { ...rest, schemas: Object.fromEntries(named) } };
}

function contentOf(schema: JsonSchema): Content {
  return { 'application/json': { schema } };
}

function commentsIn(routes: readonly RouteEntry[]): ReadonlyMap<unknown, Commented> {
  return commentsOf(new Set(routes.flatMap(({ handlers }) => handlers)));
}

/** How many routes have a last handler with the name. */
function namesIn(routes: readonly RouteEntry[]): Map<string, number> {
  const names = new Map<string, number>();
  for (const { handlers } of routes) {
    const name = handlers.at(-1)?.name ?? '';
    names.set(name, (names.get(name) ?? 0) + 1);
  }
  return names;
}

/** The name of the handler if no other route has it, or the method and the path: `getUsersById`. */
function idOf(
  { method, handlers }: RouteEntry,
  template: Template,
  index: number,
  names: ReadonlyMap<string, number>,
): string {
  const name = handlers.at(-1)?.name.replace(/^bound /, '') ?? '';
  if (/^[A-Za-z_$][\w$]*$/.test(name) && names.get(name) === 1 && index === 0) return name;
  const words = template.text.replace(/\{/g, 'by {').match(/[A-Za-z0-9]+/g) ?? ['root'];
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Adds a number to an `operationId` that an earlier operation has. */
function uniqueIds(paths: Record<string, Record<string, Operation>>): Document['paths'] {
  const taken = new Set<string>();
  for (const operations of Object.values(paths))
    for (const [method, operation] of Object.entries(operations)) {
      let id = operation.operationId;
      for (let count = 2; taken.has(id); count++) id = `${operation.operationId}${count}`;
      taken.add(id);
      operations[method] = { ...operation, operationId: id };
    }
  return paths;
}

interface Template {
  readonly text: string;
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly pattern?: string | undefined }>;
}

function parametersIn(template: string): string[] {
  return [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
}

// A parameter or a wildcard of Express 5, or a parameter of Express 4 with its regular expression.
const PARAMETER = /[:*](?:(\w+)|"([^"]+)")(?:\(((?:\\.|[^()\\])+)\))?/g;

/**
 * Converts a path of Express to path templates: two for each optional part. No template stands for several segments, so
 * that of a wildcard stands for one.
 *
 * @returns An empty list for a path that is or contains a regular expression, except that of one parameter.
 */
function templatesOf(path: string | undefined): Template[] {
  if (path === undefined) return [];
  const optional = /\{([^{}]*)\}|(\/?:\w+(?:\((?:\\.|[^()\\])+\))?)\?/.exec(path);
  if (optional) {
    const [text, group, parameter = ''] = optional;
    const around = (middle: string): string =>
      path.slice(0, optional.index) + middle + path.slice(optional.index + text.length);
    return [...templatesOf(around('')), ...templatesOf(around(group ?? parameter))];
  }
  const parameters: Array<Template['parameters'][number]> = [];
  const template = path.replace(PARAMETER, (_all, name, quoted, pattern) => {
    parameters.push({ name: name ?? quoted, pattern: pattern && `^(?:${pattern})$` });
    return '\0';
  });
  if (/[()|^$\\*?+]/.test(template)) return [];
  let index = 0;
  return [{ text: template.replaceAll('\0', () => `{${parameters[index++]?.name}}`) || '/', parameters }];
}
