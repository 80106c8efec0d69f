/** Creates the bodies of a collection of Postman. */
import type { Replace } from './drafts';
import { boundaryFor, type FormPart, multipartBytes } from './har-body';
import { isObject, shown, type Unknown } from './json';

/** Reads a file that a body names, relative to the collection. */
export type ReadFile = (path: string) => Buffer;

interface BodyOptions {
  readonly replace: Replace;
  /** The item, for messages. */
  readonly where: string;
  readonly readFile: ReadFile;
}

/** The types that Postman sends for the languages of its editor. */
const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
  javascript: 'application/javascript',
  text: 'text/plain',
};

/** Returns the bytes of a body, and the Content-Type that Postman adds if the item has none. */
export function bodyOf(body: unknown, options: BodyOptions): { bytes: Buffer; type: string } {
  const nothing = { bytes: Buffer.alloc(0), type: '' };
  if (!isObject(body) || body.disabled === true) return nothing;
  const { replace, where, readFile } = options;
  switch (body.mode) {
    case undefined:
    case 'none':
      return nothing;
    case 'raw': {
      const { raw } = isObject(body.options) ? body.options : {};
      const language = isObject(raw) ? String(raw.language) : 'text';
      const bytes = Buffer.from(replace(String(body.raw ?? '')));
      return bytes.length === 0 ? nothing : { bytes, type: TYPES[language] ?? 'text/plain' };
    }
    case 'urlencoded': {
      const fields = enabled(body.urlencoded).map(({ key, value }): [string, string] => [
        replace(String(key)),
        replace(String(value ?? '')),
      ]);
      // Postman encodes spaces as %20.
      const text = fields.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
      return { bytes: Buffer.from(text), type: 'application/x-www-form-urlencoded' };
    }
    case 'formdata':
      return form(enabled(body.formdata), options);
    case 'file': {
      const { src, content } = isObject(body.file) ? body.file : {};
      if (typeof content === 'string') return { bytes: Buffer.from(replace(content)), type: '' };
      if (typeof src === 'string') return { bytes: readFile(src), type: '' };
      throw new TypeError(`${where}: expected the path of a file as body, got ${shown(src)}`);
    }
    case 'graphql': {
      const { query = '', operationName, variables = '' } = isObject(body.graphql) ? body.graphql : {};
      const given = typeof variables === 'string' ? replace(variables) : JSON.stringify(variables);
      const text = JSON.stringify({
        query: replace(String(query)),
        ...(operationName ? { operationName } : {}),
        variables: parseVariables(given, where),
      });
      return { bytes: Buffer.from(text), type: 'application/json' };
    }
    default:
      throw new TypeError(
        `${where}: expected a body of mode raw, urlencoded, formdata, file or graphql, got ${shown(body.mode)}`,
      );
  }
}

function form(
  fields: readonly Unknown[],
  { replace, where, readFile }: BodyOptions,
): { bytes: Buffer; type: string } {
  const parts = fields.flatMap(({ key, value, type, src, contentType }): FormPart[] => {
    const name = replace(String(key));
    const given = contentType === undefined ? undefined : String(contentType);
    if (type !== 'file')
      return [
        { name, content: Buffer.from(replace(String(value ?? ''))), fileName: undefined, contentType: given },
      ];
    const paths = [src].flat().filter((path) => typeof path === 'string');
    if (paths.length === 0)
      throw new TypeError(`${where}: expected the path of a file for ${shown(name)}, got ${shown(src)}`);
    return paths.map((path) => ({
      name,
      content: readFile(path),
      fileName: path.split(/[\\/]/).pop(),
      contentType: given ?? 'application/octet-stream',
    }));
  });
  const boundary = boundaryFor(parts);
  return { bytes: multipartBytes(parts, boundary), type: `multipart/form-data; boundary=${boundary}` };
}

function parseVariables(text: string, where: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError(`${where}: expected the variables of the query in JSON: ${(error as Error).message}`);
  }
}

function enabled(list: unknown): Unknown[] {
  return Array.isArray(list) ? list.filter(isObject).filter(({ disabled }) => disabled !== true) : [];
}
