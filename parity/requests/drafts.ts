/** Turns the requests of a file with variables into requests that can be played. */
import type { Exchange, HeaderList, Request } from '../client/messages';
import { headerOf } from '../client/response';
import type { LeftOut } from '../judge/report';
import { mostFrequent, withIds, withoutSecrets } from './ids';
import type { RecordedRequest } from './recorded-request';
import { parseReference, pathOf, type Reference, valueIn } from './references';
import { splitUrl } from './target';
import { type Place, replaceLate, replaceVariables, type VariableSources } from './variables';

/** Replaces the variables of a text. */
export type Replace = (text: string, line?: number) => string;

/** A request whose texts may contain variables. */
export interface Draft {
  /** Such as `requests.http:7`, for messages. */
  where(line?: number): string;
  /** The name by which later requests refer to this one. */
  readonly name: string | undefined;
  /** The variables that later requests take from the JSON of the response: their names and paths. */
  readonly assignments: ReadonlyArray<{ readonly name: string; readonly path: string }>;
  build(replace: Replace): Built;
}

/** A request as an editor sends it. */
export interface Built {
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderList;
  readonly body: Buffer;
}

export interface Drafted {
  readonly requests: readonly RecordedRequest[];
  readonly leftOut: readonly LeftOut[];
}

/** Headers that are not sent again: they belong to one connection, or the client sets them itself. */
const NOT_SENT =
  /^(?:connection|keep-alive|proxy-connection|transfer-encoding|content-length|te|upgrade|http2-settings)$/i;
const DEFAULT_HOST = 'parity.test';

/**
 * @param origin The origin of the application; default: that of most requests.
 * @throws TypeError for an unknown variable, and for a URL that cannot be sent.
 */
export function toRequests(
  drafts: readonly Draft[],
  variables: Pick<VariableSources, 'find' | 'remedy'>,
  origin: string | undefined,
): Drafted {
  const late = new LateValues(drafts);
  const sources: VariableSources = {
    ...variables,
    isLate: (expression, place) => late.has(expression, place),
  };
  const prepared = drafts.map((draft, index) => {
    const known = new Map<string, string>();
    // Generated values stay the same in each run.
    const replace: Replace = (text, line = 0) => {
      const key = `${line} ${text}`;
      const value =
        known.get(key) ?? replaceVariables(text, { where: draft.where(line), request: index, line }, sources);
      known.set(key, value);
      return value;
    };
    const shown: Replace = (text, line = 0) =>
      replaceVariables(text, { where: draft.where(line), request: index, line }, sources, true);
    let isLate = false;
    const built = draft.build((text, line) => {
      const value = replace(text, line);
      isLate ||= /\{\{.*\}\}/s.test(value) && replaceLate(value, () => '') !== value;
      return value;
    });
    const base = toRequest(built, draft);
    const { method, url } = draft.build(shown);
    const named = { method, target: partsOf(url, draft).target };
    return { draft, built, base, named, replace, isLate };
  });
  const home =
    origin === undefined ? mostFrequent(prepared.flatMap(({ base }) => base.host ?? [])) : hostOf(origin);
  const leftOut: LeftOut[] = [];
  const kept: Array<Omit<RecordedRequest, 'id'>> = [];
  const names: Array<{ method: string; target: string }> = [];
  for (const [index, { draft, built, base, named, replace, isLate }] of prepared.entries()) {
    if (base.host !== undefined && base.host !== home) {
      leftOut.push({ why: 'other origin', what: withoutSecrets(built.method, built.url) });
      continue;
    }
    late.played.set(index, { number: kept.length, request: base.request });
    const fill = (seen: readonly Exchange[]): Request => {
      const build = (text: string, line?: number): string =>
        replaceLate(replace(text, line), (expression) =>
          late.valueOf(expression, { where: draft.where(line), request: index, line: line ?? 0 }, seen),
        );
      return toRequest(draft.build(build), draft).request;
    };
    kept.push({ ...base.request, ...(isLate && { fill }) });
    names.push(named);
  }
  const ids = withIds(names);
  return { requests: kept.map((one, index) => ({ ...one, id: ids[index] ?? '' })), leftOut };
}

function hostOf(origin: string): string {
  return splitUrl(origin)?.host ?? origin;
}

function toRequest(built: Built, draft: Draft): { request: Request; host: string | undefined } {
  const { method, url, headers: given, body } = built;
  const { host, target } = partsOf(url, draft);
  const headers = given
    .filter(([name]) => !NOT_SENT.test(name))
    .map(([name, value]) => {
      if (/[\r\n\0]/.test(value))
        throw new TypeError(
          `${draft.where()}: ${name}: expected a value in one line, got ${JSON.stringify(value)}`,
        );
      return [name, toSent(name, value)] as const;
    });
  const sent: HeaderList = [
    ...(headerOf(headers, 'host') === undefined ? [['Host', host ?? DEFAULT_HOST] as const] : []),
    ...headers,
    ...(body.length > 0 ? [['Content-Length', String(body.length)] as const] : []),
  ];
  return {
    host,
    request: {
      kind: 'request',
      method,
      target,
      version: 'HTTP/1.1',
      headers: sent,
      payload: body,
    },
  };
}

/** Editors encode `Basic user:password`. Characters beyond Latin-1 are sent in UTF-8. */
function toSent(name: string, value: string): string {
  const [, scheme = '', user = '', password] = /^(Basic +)([^\s:]+)(?::|\s+)(.*)$/i.exec(value) ?? [];
  const text =
    /^authorization$/i.test(name) && password !== undefined
      ? `${scheme}${Buffer.from(`${user}:${password}`).toString('base64')}`
      : value;
  return /^[\0-\xff]*$/.test(text) ? text : Buffer.from(text).toString('latin1');
}

function partsOf(url: string, draft: Draft): { host: string | undefined; target: string } {
  // A URL that begins with a part of a response is known later.
  if (url.startsWith('{{')) return { host: undefined, target: `/${url}` };
  if (url === '*') return { host: undefined, target: url };
  const complete = /^\/|^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  const parts = splitUrl(complete);
  if (!parts)
    throw new TypeError(`${draft.where()}: expected a path or an http URL, got ${JSON.stringify(url)}`);
  return parts;
}

/** The variables that are parts of requests and responses. */
class LateValues {
  readonly #drafts: readonly Draft[];
  /** The requests that are sent, by the number of their draft. */
  readonly played = new Map<number, { readonly number: number; readonly request: Request }>();

  constructor(drafts: readonly Draft[]) {
    this.#drafts = drafts;
  }

  /** @throws TypeError if the variable names a request that does not come before. */
  has(expression: string, place: Place): boolean {
    return this.#find(expression, place) !== undefined;
  }

  /** @throws TypeError if the response does not have the value. */
  valueOf(expression: string, place: Place, seen: readonly Exchange[]): string {
    const found = this.#find(expression, place);
    const played = found && this.played.get(found.draft);
    const exchange = played && seen[played.number];
    if (!found || !exchange)
      throw new TypeError(
        `${place.where}: {{${expression}}}: its request is not sent, because it has another origin`,
      );
    const value = valueIn(found.reference, played.request, exchange);
    if (value !== undefined) return value;
    const { method, target } = played.request;
    throw new TypeError(
      `${place.where}: {{${expression}}}: expected this value in the ${found.reference.side} of ${withoutSecrets(method, target)}, got status ${exchange.response.status ?? 'no response'} without it`,
    );
  }

  #find(expression: string, place: Place): { draft: number; reference: Reference } | undefined {
    for (let draft = place.request - 1; draft >= 0; draft--) {
      const assigned = this.#drafts[draft]?.assignments.find(({ name }) => name === expression);
      if (assigned)
        return {
          draft,
          reference: { name: '', side: 'response', part: 'body', path: this.#path(assigned.path, place) },
        };
    }
    const reference = this.#reference(expression, place);
    if (!reference) return undefined;
    for (let draft = place.request - 1; draft >= 0; draft--)
      if (this.#drafts[draft]?.name === reference.name) return { draft, reference };
    throw new TypeError(
      `${place.where}: {{${expression}}}: expected a request "${reference.name}" before this one`,
    );
  }

  #reference(expression: string, place: Place): Reference | undefined {
    try {
      return parseReference(expression);
    } catch (error) {
      throw new TypeError(`${place.where}: {{${expression}}}: ${(error as Error).message}`);
    }
  }

  #path(text: string, place: Place): string[] {
    try {
      return pathOf(text);
    } catch (error) {
      throw new TypeError(`${place.where}: ${(error as Error).message}`);
    }
  }
}
