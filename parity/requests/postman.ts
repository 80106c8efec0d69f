/** Reads the requests of a collection of Postman, version 2.0 or 2.1. https://schema.postman.com */
import { type Draft, type Drafted, type Replace, toRequests } from './drafts';
import type { Environment } from './environment';
import { isObject, shown, type Unknown } from './json';
import { bodyOf, type ReadFile } from './postman-body';
import { assignmentsOf } from './postman-scripts';

/** What a folder gives to the items in it. */
interface Inherited {
  /** The names of the folders, for messages. */
  readonly path: readonly string[];
  readonly auth: unknown;
}

/** Methods whose requests Postman sends without a body. */
const WITHOUT_BODY = /^(?:GET|COPY|HEAD|PURGE|UNLOCK)$/;

export interface CollectionOptions {
  /** The name of the file, for messages. */
  readonly name: string;
  readonly environment: Environment;
  readonly origin?: string | undefined;
  /** Reads a file that a body names. */
  readonly readFile: ReadFile;
}

/** Whether a JSON value is a collection. */
export function isCollection(value: unknown): value is Unknown {
  return isObject(value) && isObject(value.info) && Array.isArray(value.item);
}

/** @throws TypeError for each item that cannot be sent, with the names of its folders. */
export function readCollection(
  collection: Unknown,
  { name, environment, origin, readFile }: CollectionOptions,
): Drafted {
  const drafts: Draft[] = [];
  const visit = (item: unknown, { path, auth }: Inherited): void => {
    const own = isObject(item) ? item : {};
    const below: Inherited = {
      path: [...path, String(own.name ?? 'without a name')],
      auth: own.auth ?? auth,
    };
    const where = `${name}: ${below.path.map((one) => JSON.stringify(one)).join(' › ')}`;
    assertNoScript(own, where);
    if (Array.isArray(own.item)) for (const one of own.item) visit(one, below);
    else drafts.push(new ItemDraft(own, where, below.auth, readFile));
  };
  assertNoScript(collection, name);
  for (const item of collection.item as readonly unknown[]) visit(item, { path: [], auth: collection.auth });
  const own = new Map(
    listOf(collection.variable)
      .filter(({ disabled }) => disabled !== true)
      .map(({ key, id, value }) => [String(key ?? id), String(value ?? '')]),
  );
  return toRequests(
    drafts,
    {
      find: (variable) => environment.values.get(variable) ?? own.get(variable),
      remedy: 'pass an exported environment with --env environment.json',
    },
    origin,
  );
}

class ItemDraft implements Draft {
  readonly #request: Unknown;
  readonly #item: Unknown;
  readonly #where: string;
  readonly #auth: unknown;
  readonly #readFile: ReadFile;
  readonly name = undefined;
  readonly assignments: Draft['assignments'];

  constructor(item: Unknown, where: string, auth: unknown, readFile: ReadFile) {
    this.#where = where;
    this.#item = item;
    this.#readFile = readFile;
    const { request } = item;
    this.#request =
      typeof request === 'string' ? { method: 'GET', url: request } : isObject(request) ? request : {};
    if (request === undefined || (typeof request !== 'string' && !isObject(request)))
      throw new TypeError(`${where}: expected a request, got ${shown(request)}`);
    this.#auth = this.#request.auth ?? auth;
    this.assignments = assignmentsOf(scriptsOf(item, 'test'));
  }

  where(): string {
    return this.#where;
  }

  build(replace: Replace): ReturnType<Draft['build']> {
    const { header, body, method: given } = this.#request;
    const method = replace(String(given ?? 'GET')).toUpperCase();
    const headers = headersOf(header).map(([name, value]) => [replace(name), replace(value)] as const);
    const auth = this.#authorization(replace);
    const { protocolProfileBehavior } = this.#item;
    const keepsBody =
      isObject(protocolProfileBehavior) && protocolProfileBehavior.disableBodyPruning === true;
    const { bytes, type } =
      WITHOUT_BODY.test(method) && !keepsBody
        ? { bytes: Buffer.alloc(0), type: '' }
        : bodyOf(body, { replace, where: this.#where, readFile: this.#readFile });
    const hasHeader = (wanted: string): boolean =>
      headers.some(([name]) => name.toLowerCase() === wanted.toLowerCase());
    const added = [...auth.headers, ...(type === '' ? [] : [['Content-Type', type] as const])];
    return {
      method,
      url: this.#url(replace, auth.query),
      headers: [...headers, ...added.filter(([name]) => !hasHeader(name))],
      body: bytes,
    };
  }

  #url(replace: Replace, query: string | undefined): string {
    const { url } = this.#request;
    const raw = typeof url === 'string' ? url : isObject(url) ? urlOf(url) : undefined;
    if (!raw) throw new TypeError(`${this.#where}: expected a URL, got ${shown(url)}`);
    const parameters = new Map(
      listOf(isObject(url) ? url.variable : []).map(({ key, id, value }) => [
        String(key ?? id),
        String(value ?? ''),
      ]),
    );
    const withParameters = raw.replace(/(?<=\/):([\w.-]+)(?=[/?#]|$)/g, (all, name: string) => {
      const value = parameters.get(name);
      return value === undefined ? all : encodeURIComponent(replace(value));
    });
    const replaced = replace(withParameters);
    if (query === undefined) return replaced;
    return `${replaced}${replaced.includes('?') ? '&' : '?'}${query}`;
  }

  #authorization(replace: Replace): { headers: Array<readonly [string, string]>; query?: string } {
    if (!isObject(this.#auth)) return { headers: [] };
    const { type } = this.#auth;
    const given = this.#auth[String(type)];
    // A list in version 2.1, an object in 2.0.
    const values = new Map(
      Array.isArray(given)
        ? listOf(given).map(({ key, value }) => [String(key), String(value ?? '')])
        : Object.entries(isObject(given) ? given : {}).map(([key, value]) => [key, String(value)]),
    );
    const value = (key: string): string => replace(values.get(key) ?? '');
    switch (type) {
      case 'noauth':
      case undefined:
        return { headers: [] };
      case 'bearer':
        return { headers: [['Authorization', `Bearer ${value('token')}`]] };
      case 'basic': {
        // Encoded once the user and the password are known.
        const pair = `${value('username')}:${value('password')}`;
        return { headers: [['Authorization', `Basic ${Buffer.from(pair).toString('base64')}`]] };
      }
      case 'apikey':
        if (value('in') !== 'query') return { headers: [[value('key'), value('value')]] };
        return {
          headers: [],
          query: `${encodeURIComponent(value('key'))}=${encodeURIComponent(value('value'))}`,
        };
      default:
        throw new TypeError(
          `${this.#where}: expected no authorization, or bearer, basic or apikey, got ${shown(type)}; write the header instead`,
        );
    }
  }
}

/** The URL of a request without `raw`. */
function urlOf({ raw, protocol = 'http', host, port, path, query }: Unknown): string {
  if (typeof raw === 'string' && raw !== '') return raw;
  const join = (value: unknown, separator: string): string =>
    Array.isArray(value)
      ? value.map((one) => (isObject(one) ? String(one.value) : String(one))).join(separator)
      : String(value ?? '');
  const pairs = listOf(query)
    .filter(({ disabled }) => disabled !== true)
    .map(({ key, value }) => (value === null || value === undefined ? String(key) : `${key}=${value}`));
  const authority = `${join(host, '.')}${port ? `:${port}` : ''}`;
  const start = authority.startsWith('{{') ? authority : `${protocol}://${authority}`;
  return `${start}/${join(path, '/').replace(/^\//, '')}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}

/** Headers are a list, or one text with a line for each. */
function headersOf(header: unknown): Array<readonly [string, string]> {
  if (typeof header === 'string')
    return header.split(/\r?\n/).flatMap((line) => {
      const [, name, value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value] as const];
    });
  return listOf(header)
    .filter(({ disabled }) => disabled !== true)
    .map(({ key, value }) => [String(key), String(value ?? '')] as const);
}

function assertNoScript(item: Unknown, where: string): void {
  const script = scriptsOf(item, 'prerequest')
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .trim();
  if (script !== '')
    throw new TypeError(
      `${where}: expected no script before a request, because scripts are not run, got ${shown(script)}`,
    );
}

/** The text of the scripts of an item for an event. */
function scriptsOf({ event }: Unknown, wanted: string): string {
  return listOf(event)
    .filter(({ listen, disabled }) => listen === wanted && disabled !== true)
    .map(({ script }) => (isObject(script) ? [script.exec ?? ''].flat().join('\n') : String(script ?? '')))
    .join('\n');
}

function listOf(value: unknown): readonly Unknown[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
