/** Reads parts of earlier requests and responses: `{{login.response.body.token}}`. */
import { decodeExchange } from '../client/decode';
import type { Exchange, HeaderList, Request } from '../client/messages';
import { headerOf } from '../client/response';

/** A part of a request or a response, as an expression names it. */
export interface Reference {
  /** The name of the request. */
  readonly name: string;
  readonly side: 'request' | 'response';
  readonly part: 'body' | 'headers' | 'cookies';
  /** The members that lead to a value in JSON, or the name of the header or cookie. Empty for the whole body. */
  readonly path: readonly string[];
}

const REFERENCE = /^([\w-]+)\.(request|response)\.(body|headers|cookies)(?:\.(.+)|(\[.+))?$/s;
/** A member `.name`, `['name']` or `[0]`. */
const MEMBER = /\.([\w-]+)|\[\s*(?:"([^"]*)"|'([^']*)'|(\d+))\s*\]/y;

/**
 * @returns `undefined` for an expression that names no part.
 * @throws TypeError for a path with other things than members and indices, such as filters and XPath.
 */
export function parseReference(expression: string): Reference | undefined {
  const [, name = '', side, part, dotted, bracketed] = REFERENCE.exec(expression) ?? [];
  if (side === undefined) return undefined;
  const given = dotted ?? bracketed ?? '';
  // A header or cookie is a name, `.X-Id`, or a name in brackets; kulala adds `.value`.
  const path = part === 'body' || dotted === undefined ? pathOf(given) : [given.replace(/\.value$/, '')];
  return { name, side: side as Reference['side'], part: part as Reference['part'], path };
}

/** Splits the path of a value in JSON: `$.items[0].id`, `items[0].id`; `*` and `$` are the whole text. */
export function pathOf(text: string): string[] {
  if (text === '' || text === '*' || text === '$') return [];
  const plain = text.replace(/^\$(?=[.[])/, '').replace(/^(?![.[])/, '.');
  const path: string[] = [];
  MEMBER.lastIndex = 0;
  while (MEMBER.lastIndex < plain.length) {
    const [found, ...names] = MEMBER.exec(plain) ?? [];
    if (found === undefined)
      throw new TypeError(`expected members and indices such as $.items[0].id, got ${JSON.stringify(text)}`);
    path.push(names.find((one) => one !== undefined) ?? '');
  }
  return path;
}

/** @returns The value as text; `undefined` if the message does not have it. */
export function valueIn(reference: Reference, request: Request, exchange: Exchange): string | undefined {
  const { response } = decodeExchange(exchange);
  const { headers = [], body = Buffer.alloc(0) } =
    reference.side === 'request' ? { headers: request.headers, body: request.payload } : response;
  const [first = ''] = reference.path;
  if (reference.part === 'headers') return headerOf(headers, first.toLowerCase());
  if (reference.part === 'cookies') return cookieIn(headers, first);
  return reference.path.length === 0 ? String(body) : valueAt(String(body), reference.path);
}

function cookieIn(headers: HeaderList, name: string): string | undefined {
  const pairs = headers
    .filter(([header]) => /^set-cookie$/i.test(header))
    .map(([, value]) => value.split(';', 1)[0]);
  return pairs.find((pair) => pair?.startsWith(`${name}=`))?.slice(name.length + 1);
}

function valueAt(text: string, path: readonly string[]): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}
