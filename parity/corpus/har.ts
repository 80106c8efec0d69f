/**
 * Converts observations to HAR 1.2, the format of browsers and proxies, and back. Members that HAR lacks begin with
 * `_`; `fixtures/README.md` lists them.
 */

import type * as har from 'har-format';
import type {
  Abort,
  ConnectionOutcome,
  Exchange,
  Framing,
  Head,
  HeaderList,
  ReceivedResponse,
  Request,
} from '../client/messages';
import { formatHead, raw } from '../client/request';
import { headerOf } from '../client/response';
import type { Observation } from '../implementations/protocol';
import { SOME_INSTANT } from '../judge/normalise';
import type { Entry } from '../scenario/catalogue';

const SOME_ORIGIN = 'http://parity.test';

export interface Har {
  readonly log: Omit<har.Log, 'entries'> & {
    readonly entries: readonly HarEntry[];
    /** The versions of Express and morgan, and the major version of Node.js, by package name. */
    readonly _versions: Readonly<Record<string, string>>;
    readonly _scenarios: readonly HarScenario[];
  };
}

/** The output and the errors of a scenario. Empty lists are omitted. */
export interface HarScenario {
  readonly name: string;
  readonly clauses: readonly string[];
  readonly threw?: string;
  readonly log?: readonly string[];
  readonly stdout?: readonly string[];
  readonly stderr?: readonly string[];
  readonly deprecations?: readonly string[];
  readonly uncaught?: readonly string[];
}

/** HAR 1.2 requires an empty `params` beside `text`, but the types of har-format allow only one of the two. */
type HarRequest = Omit<har.Request, 'postData'> & {
  readonly postData?: { readonly mimeType: string; readonly text: string; readonly params: readonly [] };
};

export interface HarEntry extends Omit<har.Entry, 'request'> {
  readonly request: HarRequest;
  readonly _scenario: string;
  readonly _clauses: readonly string[];
  /** The request as sent: text, or base64 if it is not UTF-8. */
  readonly _sent: string;
  readonly _sentEncoding?: 'base64';
  readonly _abort?: Abort;
  readonly _framing?: Framing;
  readonly _outcome: ConnectionOutcome;
  readonly _fault?: string;
  readonly _interim?: readonly Head[];
  readonly _trailers?: readonly har.Header[];
  readonly _surplus?: string;
}

/** The content of a recorded file: the scenarios of one section with their observations. */
export type Recording = ReadonlyArray<readonly [Entry, Observation]>;

export function toHar(recording: Recording, versions: Readonly<Record<string, string>>): Har {
  return {
    log: {
      version: '1.2',
      creator: { name: 'nozomi parity', version: '1' },
      pages: [],
      entries: recording.flatMap(([entry, { exchanges }]) =>
        exchanges.map((exchange) => toEntry(entry, exchange)),
      ),
      _versions: versions,
      _scenarios: recording.map(([entry, observation]) => toScenario(entry, observation)),
    },
  };
}

/** Returns the observations of a recording by scenario name. */
export function fromHar({ log }: Har): Map<string, Observation> {
  return new Map(
    log._scenarios.map(({ name, clauses: _clauses, ...written }): [string, Observation] => {
      const none = { log: [], stdout: [], stderr: [], deprecations: [], uncaught: [] };
      const exchanges = log.entries.filter((entry) => entry._scenario === name).map(fromEntry);
      return [name, { ...none, ...written, exchanges }];
    }),
  );
}

function toScenario({ scenario }: Entry, { exchanges: _exchanges, ...seen }: Observation): HarScenario {
  const shown = Object.entries(seen).filter(
    ([, value]) => value !== undefined && value !== true && value.length > 0,
  );
  return { name: scenario.name, clauses: scenario.clauses, ...Object.fromEntries(shown) };
}

function toEntry({ scenario }: Entry, exchange: Exchange): HarEntry {
  const { request, connection, response, outcome, fault, surplus } = exchange;
  const sent = toText(request.bytes ?? Buffer.concat([formatHead(request), request.payload]));
  return {
    startedDateTime: SOME_INSTANT,
    time: 0,
    request: toHarRequest(request),
    response: toHarResponse(response),
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    connection: String(connection),
    _scenario: scenario.name,
    _clauses: scenario.clauses,
    _sent: sent.text,
    ...(sent.encoding && { _sentEncoding: sent.encoding }),
    ...(request.abort !== undefined && { _abort: request.abort }),
    ...(response.framing && { _framing: response.framing }),
    _outcome: outcome,
    ...(fault !== undefined && { _fault: fault }),
    ...(response.interim?.length && { _interim: response.interim }),
    ...(response.trailers?.length && { _trailers: toPairs(response.trailers) }),
    ...(surplus && { _surplus: surplus.toString('base64') }),
  };
}

function toHarRequest(request: Request): HarRequest {
  const { method, target, version, headers, payload } = request;
  const query = target.indexOf('?');
  return {
    method,
    url: urlOf(request),
    httpVersion: version,
    cookies: cookiesOf(headerOf(headers, 'cookie')),
    headers: toPairs(headers),
    queryString: query < 0 ? [] : toPairs([...new URLSearchParams(target.slice(query + 1))]),
    ...(payload.length > 0 && {
      postData: {
        mimeType: headerOf(headers, 'content-type') ?? '',
        text: payload.toString('utf8'),
        params: [],
      },
    }),
    headersSize: formatHead(request).length,
    bodySize: payload.length,
  };
}

/** Returns a URL that HAR tools can parse, even for a malformed target. The exact target is in `_sent`. */
function urlOf({ target, headers }: Request): string {
  const host = headerOf(headers, 'host') ?? '';
  const urls = [target, `http://${host}${target}`, `${SOME_ORIGIN}${target}`];
  return urls.find((url) => /^https?:/.test(url) && isUrl(url)) ?? `${SOME_ORIGIN}/`;
}

/** Not `URL.canParse`: after some thousand calls, that of Node.js 20 returns false for a text with letters of Latin-1. */
export function isUrl(text: string): boolean {
  try {
    new URL(text);
    return true;
  } catch {
    return false;
  }
}

/** Converts a response to HAR. As in browsers, status 0 means that no response arrived. */
function toHarResponse(response: Partial<ReceivedResponse>): har.Response {
  const { version = '', status = 0, reason = '', headers = [], body } = response;
  return {
    status,
    statusText: reason,
    httpVersion: version,
    cookies: headers
      .filter(([name]) => name.toLowerCase() === 'set-cookie')
      .flatMap(([, value]) => cookiesOf(value.split(';', 1)[0])),
    headers: toPairs(headers),
    content: {
      size: body?.length ?? 0,
      mimeType: headerOf(headers, 'content-type') ?? '',
      ...toText(body ?? Buffer.alloc(0)),
    },
    redirectURL: headerOf(headers, 'location') ?? '',
    headersSize: -1,
    bodySize: body?.length ?? -1,
  };
}

function fromEntry(entry: HarEntry): Exchange {
  const { response: saved, _sent, _sentEncoding, _abort, _framing, _outcome, _fault, _surplus } = entry;
  const headers = fromPairs(saved.headers);
  const response: Partial<ReceivedResponse> = {
    ...(saved.status > 0 && {
      version: saved.httpVersion,
      status: saved.status,
      reason: saved.statusText,
      headers,
    }),
    ...(saved.bodySize >= 0 && {
      body: Buffer.from(saved.content.text ?? '', saved.content.encoding === 'base64' ? 'base64' : 'utf8'),
    }),
    ...(_framing && { framing: _framing }),
    ...(entry._interim && { interim: entry._interim }),
    ...(entry._trailers && { trailers: fromPairs(entry._trailers) }),
  };
  return {
    request: fromBytes(Buffer.from(_sent, _sentEncoding ?? 'utf8'), _abort),
    connection: Number(entry.connection),
    response,
    outcome: _outcome,
    ...(_fault !== undefined && { fault: _fault }),
    ...(_surplus !== undefined && { surplus: Buffer.from(_surplus, 'base64') }),
    header: (name) => headerOf(headers, name),
  };
}

/** Parses a recorded request. It keeps the bytes if the parsed members would not give the same bytes again. */
function fromBytes(sent: Buffer, abort: Abort | undefined): Request {
  const { bytes, ...parsed } = raw(sent);
  const isSame = Buffer.concat([formatHead(parsed), parsed.payload]).equals(sent);
  return { ...parsed, ...(!isSame && { bytes }), ...(abort !== undefined && { abort }) };
}

function toText(bytes: Buffer): { text: string; encoding?: 'base64' } {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? { text } : { text: bytes.toString('base64'), encoding: 'base64' };
}

function toPairs(headers: HeaderList): har.Header[] {
  return headers.map(([name, value]) => ({ name, value }));
}

function fromPairs(pairs: readonly har.Header[]): HeaderList {
  return pairs.map(({ name, value }) => [name, value] as const);
}

function cookiesOf(header = ''): har.Header[] {
  return header
    .split(';')
    .map((pair) => pair.trim().split('='))
    .filter(([name]) => name)
    .map(([name = '', ...value]) => ({ name, value: value.join('=') }));
}
