/** Finds the values in a request that a client may have taken from earlier responses, each with its name. */
import { unescape as decodePercent } from 'node:querystring';
import type { HeaderList, Request } from '../client/messages';
import { headerOf } from '../client/response';
import { isToken, type Named, ownersOf, resourcesOf } from './names';

/** Returns what stands in place of a value; undefined if it stays. */
export type Replace = (value: string, use: Named) => string | undefined;

/** Headers whose values are URLs, and those that repeat another header of a response. */
const URLS = /^(?:referer|referrer|origin|destination)$/i;
const REPEATS: Readonly<Record<string, string>> = {
  'if-none-match': 'etag',
  'if-match': 'etag',
  'if-range': 'etag',
  'if-modified-since': 'last-modified',
  'if-unmodified-since': 'last-modified',
};
/** Parts of a text that may be tokens, from the longest to the shortest. */
export const TOKENS: readonly RegExp[] = [/[\w.~%+/=@-]+/g, /[\w.~%-]+={0,2}/g, /[\w-]+/g];

/** Returns a request with other values: in its target, its headers other than `Cookie`, and its body. */
export function withValues(one: Request, replace: Replace): Request {
  const resources = resourcesOf(one.target);
  const type = headerOf(one.headers, 'content-type') ?? '';
  const payload = inBody(one.payload, type, resources, replace);
  const headers: HeaderList = one.headers.map(([name, value]) => {
    if (/^content-length$/i.test(name))
      return [name, value === String(one.payload.length) ? String(payload.length) : value];
    return /^(?:cookie|host)$/i.test(name) ? [name, value] : [name, inHeader(name, value, replace)];
  });
  return { ...one, target: inUrl(one.target, replace), headers, payload };
}

function inUrl(target: string, replace: Replace): string {
  const [, origin = '', path = '', mark = '', query = '', rest = ''] =
    /^([a-z]+:\/\/[^/?#]*)?([^?#]*)(\??)([^#]*)(.*)$/is.exec(target) ?? [];
  const segments = path.split('/');
  const changed = segments.map((segment, index) => {
    if (segment === '') return segment;
    const before = segments[index - 1] ?? '';
    const use = { name: undefined, owners: ownersOf(undefined, isToken(before) ? [] : [before]) };
    return encoded(segment, decodePercent(segment), use, replace);
  });
  return origin + changed.join('/') + mark + inForm(query, resourcesOf(path), replace) + rest;
}

/** Replaces values of a query or of a form. */
function inForm(text: string, resources: readonly string[], replace: Replace): string {
  return text.replace(/([^&=]*)=([^&]*)/g, (pair, key: string, raw: string) => {
    if (raw === '') return pair;
    const name = decodePercent(key.replaceAll('+', ' '));
    const use = {
      name,
      owners: ownersOf(name.replace(/\[\]$/, '').replace(/^.*\[(.+)\]$/, '$1'), resources),
    };
    return `${key}=${encoded(raw, decodePercent(raw.replaceAll('+', ' ')), use, replace)}`;
  });
}

/** Returns the encoded value as it was, unless something in it is replaced. */
function encoded(raw: string, value: string, use: Named, replace: Replace): string {
  const now = inText(value, use, replace);
  return now === value ? raw : encodeURIComponent(now);
}

function inHeader(name: string, value: string, replace: Replace): string {
  if (URLS.test(name)) return inUrl(value, replace);
  const use = { name: REPEATS[name.toLowerCase()] ?? name, owners: [] };
  return (
    replace(value, use) ??
    value.replace(/[^\s,;="]+/g, (part) =>
      part === '' ? part : (replace(part, use) ?? inTokens(part, use, replace)),
    )
  );
}

function inBody(payload: Buffer, type: string, resources: readonly string[], replace: Replace): Buffer {
  if (payload.length === 0) return payload;
  // In another charset, or with bytes: ids and tokens have the same bytes in latin1.
  const charset = payload.equals(Buffer.from(payload.toString())) ? 'utf8' : 'latin1';
  const text = payload.toString(charset);
  const now = inTyped(text, type, resources, replace);
  return now === text ? payload : Buffer.from(now, charset);
}

function inTyped(text: string, type: string, resources: readonly string[], replace: Replace): string {
  if (/^application\/x-www-form-urlencoded/i.test(type)) return inForm(text, resources, replace);
  if (/^\s*[[{"]/.test(text) && isJson(text)) return inJson(text, resources, replace);
  if (/^multipart\//i.test(type)) return inParts(text, resources, replace);
  const elements = text.replace(/<([\w:.-]+)>([^<>]+)(?=<\/\1>)/g, (_all, name: string, value: string) => {
    const use = { name, owners: ownersOf(name.replace(/^.*:/, ''), resources) };
    return `<${name}>${replace(value, use) ?? value}`;
  });
  return inText(elements, { name: undefined, owners: [] }, replace);
}

/** Replaces the fields of a multipart form, and tokens in its files. */
function inParts(text: string, resources: readonly string[], replace: Replace): string {
  const [boundary = ''] = /^--[^\r\n]+/.exec(text) ?? [];
  return text
    .split(boundary)
    .map((part) => {
      const [, head = '', value = '', end = ''] = /^(.*?\r?\n\r?\n)(.*?)(\r?\n(?:--)?)$/s.exec(part) ?? [];
      const name = /\bname="?([^";\r\n]+)/i.exec(head)?.[1];
      if (head === '' || name === undefined || /\bfilename/i.test(head)) return part;
      return head + inText(value, { name, owners: ownersOf(name, resources) }, replace) + end;
    })
    .join(boundary);
}

/** Replaces the values of JSON, and keeps its white space. */
function inJson(text: string, resources: readonly string[], replace: Replace): string {
  /** The names of the objects and lists around a value; a list without a name has an empty one. */
  const around: string[] = [];
  let key = '';
  return text.replace(
    /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]|-?\d[\d.eE+-]*/g,
    (literal: string, colon: string | undefined, at: number) => {
      if (literal === '{' || literal === '[') {
        around.push(key);
        if (literal === '{') key = '';
      } else if (literal === '}' || literal === ']') key = around.pop() ?? '';
      else if (colon !== undefined && isKey(text, at))
        key = String(JSON.parse(literal.slice(0, -colon.length)));
      else {
        const value: unknown = JSON.parse(literal);
        const names = [...resources, ...around.filter(Boolean)];
        const use = { name: key || undefined, owners: ownersOf(key || undefined, names) };
        if (typeof value === 'string') {
          const now = inText(value, use, replace);
          return now === value ? literal : JSON.stringify(now);
        }
        const now = replace(String(value), use);
        return now === undefined ? literal : /^-?\d+(?:\.\d+)?$/.test(now) ? now : JSON.stringify(now);
      }
      return literal;
    },
  );
}

/** Whether the literal at a position of JSON is the key of a member: only in an object can a colon follow. */
function isKey(text: string, at: number): boolean {
  return at >= 0 && text[at] === '"';
}

/** Replaces a text, JSON in it, the arguments of GraphQL in it, or tokens in it. */
function inText(text: string, use: Named, replace: Replace): string {
  const whole = replace(text, use);
  if (whole !== undefined) return whole;
  if (/^\s*[[{]/.test(text) && isJson(text)) return inJson(text, use.owners, replace);
  const changed = text.replace(
    /\b(\w+)(\s*:\s*"?)([\w-]+)/g,
    (all, name: string, mark: string, value: string) => {
      if (!/[{(]/.test(text)) return all;
      return `${name}${mark}${replace(value, { name, owners: ownersOf(name, use.owners) }) ?? value}`;
    },
  );
  return inTokens(changed, use, replace);
}

/** Replaces the tokens of a text: the longest first. */
function inTokens(text: string, use: Named, replace: Replace, level = 0): string {
  const pattern = TOKENS[level];
  if (!pattern || text.length < 8) return text;
  return text.replace(pattern, (token) => {
    const now = isToken(token) && token !== text ? replace(token, { ...use, owners: [] }) : undefined;
    return now ?? inTokens(token, use, replace, level + 1);
  });
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
