/** Makes an OpenAPI 3.1 document from the routes of an application. */
import type { Inspection, TreeNode } from '../inspect/model';
import type { HandlerSchemas, JsonSchema } from '../inspect/schemas';
import { walkTree } from '../inspect/tree';

export interface Document {
  readonly openapi: '3.1.1';
  readonly info: { readonly title: string; readonly version: string };
  /** The operations by path and method in lower case, in the order of the routes. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Operation {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: true; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export type Content = Readonly<Record<'application/json', { readonly schema: JsonSchema }>>;

/** The methods that OpenAPI can describe; HEAD and OPTIONS follow from the others. */
const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'TRACE'];
/** The methods of a route for all methods. */
const USUAL = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'];

/** @returns The document, and why some routes or schemas are not in it, one sentence each. */
export function toDocument(
  { roots }: Pick<Inspection, 'roots'>,
  info: Document['info'],
): { document: Document; notes: string[] } {
  const paths: Record<string, Record<string, Operation>> = Object.create(null);
  const notes: string[] = [];
  const [root] = roots;
  for (const node of root ? walkTree(root) : []) {
    if (node.kind !== 'route') continue;
    for (const full of node.fullPaths) {
      const templates = templatesOf(full);
      if (templates.length === 0) notes.push(`${full}: OpenAPI has no paths with regular expressions`);
      for (const template of templates)
        for (const method of node.methods.includes('*') ? USUAL : node.methods) {
          if (!METHODS.includes(method)) continue;
          const { schemas, missing } = schemasFor(node, method);
          for (const part of missing)
            notes.push(
              `${method} ${full}: the library of the schema for ${part} has no Standard JSON Schema`,
            );
          paths[template] ??= Object.create(null);
          // The first route handles the request.
          (paths[template] as Record<string, Operation>)[method.toLowerCase()] ??= operationOf(
            template,
            schemas,
          );
        }
    }
  }
  return { document: { openapi: '3.1.1', info, paths }, notes };
}

/**
 * Converts a path of Express to path templates: two for each optional part. No template stands for several segments, so
 * that of a wildcard stands for one.
 *
 * @returns An empty list for a path that is or contains a regular expression.
 */
function templatesOf(path: string): string[] {
  const optional = /\{([^{}]*)\}|(\/?:\w+)\?/.exec(path);
  if (optional) {
    const [text, group, parameter = ''] = optional;
    const around = (middle: string): string =>
      path.slice(0, optional.index) + middle + path.slice(optional.index + text.length);
    return [...templatesOf(around('')), ...templatesOf(around(group ?? parameter))];
  }
  if (/[()|^$\\]/.test(path)) return [];
  const template = path.replace(
    /[:*](?:(\w+)|"([^"]+)")/g,
    (_all, name, quoted) => `\0${name ?? quoted}\x01`,
  );
  if (/[*?+]/.test(template)) return [];
  return [template.replaceAll('\0', '{').replaceAll('\x01', '}') || '/'];
}

/** Returns the schemas of all handlers of a route for a method. Of two for the same part, the first counts. */
function schemasFor(node: TreeNode, method: string): { schemas: Partial<HandlerSchemas>; missing: string[] } {
  const all = node.handlers
    .filter((handler) => handler.method === undefined || handler.method === method)
    .flatMap(({ schemas }) => schemas ?? []);
  return { schemas: Object.assign({}, ...all.toReversed()), missing: all.flatMap(({ unknown }) => unknown) };
}

function operationOf(template: string, schemas: Partial<HandlerSchemas>): Operation {
  const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const { params, query, body, response } = schemas;
  const parameters: Parameter[] = [
    ...names.map((name) => ({
      name,
      in: 'path' as const,
      required: true,
      schema: params?.properties?.[name] ?? { type: 'string' },
    })),
    ...Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'query' as const,
      required: query?.required?.includes(name) ?? false,
      schema,
    })),
  ];
  const isValidated = Boolean(params || query || body);
  return {
    parameters,
    ...(body && { requestBody: { required: true, content: jsonOf(body) } }),
    responses: {
      ...(response && { '2XX': { description: 'Success', content: jsonOf(response) } }),
      ...(isValidated && { 400: { description: 'The request does not match its schemas' } }),
      default: { description: 'Any other response' },
    },
  };
}

function jsonOf(schema: JsonSchema): Content {
  return { 'application/json': { schema } };
}
