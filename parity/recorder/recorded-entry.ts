/** The entries of a recording, which may be masked again when more secrets are known. */

import { decodeBody, encodeBody } from '../client/decode';

export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** A text, or base64 if it is not UTF-8. */
interface Content {
  readonly text?: string;
  readonly encoding?: 'base64';
}

/** A HAR entry. */
export interface Recorded {
  readonly startedDateTime: string;
  readonly _target?: string;
  readonly request: {
    readonly url: string;
    readonly headers: readonly Pair[];
    readonly queryString: readonly Pair[];
    readonly bodySize: number;
    readonly postData?: Content & { readonly mimeType: string };
    readonly [member: string]: unknown;
  };
  readonly response: {
    readonly headers: readonly Pair[];
    readonly redirectURL: string;
    readonly content: Content & { readonly size: number; readonly mimeType: string };
    readonly [member: string]: unknown;
  };
  readonly [member: string]: unknown;
}

/** Headers in which no secret is: the replay needs them as they are. */
const PLAIN = /^(?:content-(?:type|length|encoding)|host|connection|accept(?:-.*)?|user-agent|date)$/i;

/** Returns an entry with masked texts, and with the length of the masked body. The same entry if nothing changes. */
export function maskAgain(entry: Recorded, mask: (text: string) => string): Recorded {
  const { request, response, _target } = entry;
  const { postData } = request;
  const pairs = (list: readonly Pair[]): Pair[] =>
    list.map(({ name, value }) => ({ name, value: PLAIN.test(name) ? value : mask(value) }));
  const encoding = request.headers.find(({ name }) => /^content-encoding$/i.test(name))?.value;
  const body = postData && maskContent(postData, mask, encoding);
  const length = body === postData ? undefined : lengthOf(body);
  const headers = pairs(request.headers).map(({ name, value }) =>
    length !== undefined && /^content-length$/i.test(name)
      ? { name, value: String(length) }
      : { name, value },
  );
  const content = maskContent(response.content, mask);
  return {
    ...entry,
    ...(_target !== undefined && { _target: mask(_target) }),
    request: {
      ...request,
      url: mask(request.url),
      headers,
      queryString: pairs(request.queryString),
      ...(length !== undefined && { bodySize: length }),
      ...(body && { postData: body }),
    },
    response: {
      ...response,
      headers: pairs(response.headers),
      content: content === response.content ? content : { ...content, size: lengthOf(content) },
      redirectURL: mask(response.redirectURL),
    },
  };
}

function maskContent<Body extends Content>(body: Body, mask: (text: string) => string, coding = ''): Body {
  const { text, encoding } = body;
  if (text === undefined) return body;
  if (encoding === undefined) {
    const masked = mask(text);
    return masked === text ? body : { ...body, text: masked };
  }
  const bytes = Buffer.from(text, 'base64');
  const plain = coding === '' ? bytes : (decodeBody(bytes, coding) ?? bytes);
  // One character for each byte.
  const masked = Buffer.from(mask(plain.toString('latin1')), 'latin1');
  if (masked.equals(plain)) return body;
  const encoded = coding === '' ? masked : (encodeBody(masked, coding) ?? masked);
  return { ...body, text: encoded.toString('base64') };
}

function lengthOf({ text = '', encoding = undefined }: Content = {}): number {
  return Buffer.byteLength(text, encoding ?? 'utf8');
}
