/**
 * The header fields of a response that `app.listen` made: one flat list, as it goes to `writeHead`. §2.7, §4.5
 *
 * The runtime keeps an object with an array for every field, and puts the head together from these. A list handed over
 * whole spares a seventh of a response with twelve fields, a fifteenth of a short one (bench "headers", "hello").
 *
 * The list is for what most responses are: plain text and numbers, set by the methods of `res`. At anything else, and when
 * a field was set past these methods, it moves to the runtime's store, and the response goes on as a `ServerResponse`
 * like any other. There is no list where another server made the response, or where somebody wraps what it stands in
 * for.
 */
import { type OutgoingHttpHeaders, ServerResponse } from 'node:http';

type Value = number | string | readonly string[];

/** Of an outgoing message, but not declared of one. */
interface RawNames {
  getRawHeaderNames(): string[];
}

const runtime = ServerResponse.prototype as ServerResponse & RawNames;
const { setHeader, getHeader, removeHeader, hasHeader, appendHeader, writeHead } = runtime;
const { getHeaders, getHeaderNames, getRawHeaderNames } = runtime;

// A wrapper that was there before this was loaded has another source. What is not recognised costs time, no more.
const areKnown = [
  ...[setHeader, getHeader, removeHeader, hasHeader, appendHeader, writeHead],
  ...[getHeaders, getHeaderNames, getRawHeaderNames],
].every((method) => String(method).includes('kOutHeaders'));

/** Whether the methods that the list stands in for are the runtime's, so that nobody waits for their calls. */
function isRuntimeUntouched(): boolean {
  return (
    areKnown &&
    runtime.setHeader === setHeader &&
    runtime.getHeader === getHeader &&
    runtime.removeHeader === removeHeader &&
    runtime.hasHeader === hasHeader &&
    runtime.appendHeader === appendHeader &&
    runtime.writeHead === writeHead &&
    runtime.getHeaders === getHeaders &&
    runtime.getHeaderNames === getHeaderNames &&
    runtime.getRawHeaderNames === getRawHeaderNames
  );
}

class FieldList {
  /** Names as they were set, and values, in turns. */
  readonly flat: Array<string | number> = [];
  /** The fields are in the runtime's store by now. */
  isMoved = false;
}

/** More fields than this are not searched one by one. */
const MOST = 32;

// A member like any other, so that whoever sees the response through a proxy or an heir sees its fields.
const kFields: unique symbol = Symbol('nozomi.fields');

interface Listed {
  [kFields]?: FieldList;
}

/** The response of `app.listen`, and what `response` inherits from: its methods serve every other response as well. */
export class ListedResponse extends ServerResponse {
  constructor(...args: ConstructorParameters<typeof ServerResponse>) {
    super(...args);
    if (isRuntimeUntouched()) (this as Listed)[kFields] = new FieldList();
  }

  override setHeader(name: string, value: Value): this {
    const fields = unsent(this);
    if (fields) {
      if (put(fields.flat, name, value)) return this;
      move(this, fields);
    }
    return super.setHeader(name, value);
  }

  override getHeader(name: string): number | string | string[] | undefined {
    const fields = listOf(this);
    if (!fields || typeof name !== 'string') return super.getHeader(name);
    const at = find(fields.flat, name);
    return at === -1 ? undefined : fields.flat[at + 1];
  }

  override removeHeader(name: string): void {
    const fields = unsent(this);
    // Some it also remembers, not to make them up.
    super.removeHeader(name);
    const at = fields ? find(fields.flat, name) : -1;
    if (at !== -1) fields?.flat.splice(at, 2);
  }

  override hasHeader(name: string): boolean {
    const fields = listOf(this);
    if (!fields || typeof name !== 'string') return super.hasHeader(name);
    return find(fields.flat, name) !== -1;
  }

  override getHeaders(): OutgoingHttpHeaders {
    const fields = listOf(this);
    if (!fields) return super.getHeaders();
    const headers: OutgoingHttpHeaders = Object.create(null);
    for (const [i, name] of namesOf(fields).entries()) headers[name.toLowerCase()] = fields.flat[2 * i + 1];
    return headers;
  }

  override getHeaderNames(): string[] {
    const fields = listOf(this);
    return fields ? namesOf(fields).map((name) => name.toLowerCase()) : super.getHeaderNames();
  }

  getRawHeaderNames(): string[] {
    const fields = listOf(this);
    return fields ? namesOf(fields) : runtime.getRawHeaderNames.call(this);
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    const fields = unsent(this);
    if (fields) move(this, fields);
    return super.appendHeader(name, value);
  }

  // Three parameters, as the runtime's has.
  override writeHead(status: number, reason?: unknown, headers?: unknown): this {
    const fields = unsent(this);
    if (fields && reason === undefined && headers === undefined) return writeList(this, fields, status);
    if (fields) move(this, fields);
    return super.writeHead(status, reason as string, headers as OutgoingHttpHeaders);
  }
}

// To whoever looks, members like those they stand before, and the runtime's constructor.
const { constructor: _own, ...members } = Object.getOwnPropertyDescriptors(ListedResponse.prototype);
for (const [name, descriptor] of Object.entries(members)) {
  Object.defineProperty(ListedResponse.prototype, name, { ...descriptor, enumerable: true });
}
Reflect.deleteProperty(ListedResponse.prototype, 'constructor');
// An older name, which Node.js 26 has no more.
if ('writeHeader' in runtime)
  Object.assign(ListedResponse.prototype, { writeHeader: members.writeHead.value });

/** The list, as long as the fields are in it. */
function listOf(res: ListedResponse & Listed): FieldList | undefined {
  const fields = res[kFields];
  if (!fields || fields.isMoved) return undefined;
  if (res.headersSent || getHeaderNames.call(res).length === 0) return fields;
  move(res, fields);
  return undefined;
}

/** Whether the head will be ASCII, as the list is: unless it is known not to be long. */
export function isHeadAscii(res: ServerResponse): boolean {
  return listOf(res as ListedResponse) !== undefined && res.statusMessage === undefined;
}

/** The list, as long as fields can be set in it. */
function unsent(res: ListedResponse): FieldList | undefined {
  const fields = listOf(res);
  return fields && !res.headersSent ? fields : undefined;
}

/** Where its store was made past these methods, and emptied, the runtime sets the fields one by one: not in the list. */
function writeList<T extends ListedResponse>(res: T, fields: FieldList, status: number): T {
  fields.isMoved = true;
  try {
    return writeHead.call(res, status, fields.flat as string[]) as T;
  } finally {
    fields.isMoved = false;
  }
}

/** Move the fields to the runtime's store, in front of what was set there past these methods. */
function move(res: ListedResponse, fields: FieldList): void {
  fields.isMoved = true;
  const { flat } = fields;
  const later = getRawHeaderNames.call(res).map((name) => [name, getHeader.call(res, name)] as const);
  for (const [name] of later) removeHeader.call(res, name);
  for (let i = 0; i < flat.length; i += 2) setHeader.call(res, flat[i] as string, flat[i + 1] as Value);
  for (const [name, value] of later) setHeader.call(res, name, value as Value);
}

function namesOf({ flat }: FieldList): string[] {
  return flat.filter((_each, i) => i % 2 === 0) as string[];
}

/** Set a field where it stands, or at the end. @returns Whether it is one that the list takes. */
function put(flat: Array<string | number>, name: string, value: Value): boolean {
  if (typeof value !== 'number' && (typeof value !== 'string' || UNUSUAL.test(value))) return false;
  if (!isName(name)) return false;
  const at = find(flat, name);
  if (at !== -1) {
    flat[at] = name;
    flat[at + 1] = value;
  } else if (flat.length < 2 * MOST) flat.push(name, value);
  else return false;
  return true;
}

/** Where a field stands, in any letter case; -1 when it is not set. */
function find(flat: ReadonlyArray<string | number>, name: string): number {
  const last = name.length - 1;
  // Length and last letter tell most names apart.
  const letter = name.charCodeAt(last) | 32;
  for (let i = 0; i < flat.length; i += 2) {
    const other = flat[i] as string;
    if (other === name) return i;
    if (other.length - 1 !== last || (other.charCodeAt(last) | 32) !== letter) continue;
    if (other.toLowerCase() === name.toLowerCase()) return i;
  }
  return -1;
}

/** What most values do not hold: no value may hold some of it, and for some fields the runtime recodes the rest. */
const UNUSUAL = /[^\t\x20-\x7e]/;

/** Tokens, but for those that begin with a digit: the runtime sends numbers first. RFC 9110 §5.1 */
const NAME = /^[!#$%&'*+.^_`|~a-z-][!#$%&'*+.^_`|~a-z0-9-]*$/i;

// Names that were found to be some: the same few are set again and again.
const known = new Set<string>();
const MOST_KNOWN = 256;

function isName(name: string): boolean {
  if (known.has(name)) return true;
  if (typeof name !== 'string' || !NAME.test(name)) return false;
  if (known.size < MOST_KNOWN) known.add(name);
  return true;
}
