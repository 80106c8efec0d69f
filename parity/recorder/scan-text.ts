/**
 * Masks secrets in text of any kind: log lines, pages, URLs, GraphQL, JSON that is incomplete. Each function reads the
 * text once, so that the time is linear in its length.
 */

import { unescape as decodePercent } from 'node:querystring';
import { closingQuote, skipSpaces, slashesBefore } from './scan-json';
import type { SecretNames } from './secret-names';

/** Replaces the value of a secret. `isStrong` says whether its name certainly is that of a secret. */
export type Mask = (value: string, isStrong?: boolean) => string;

const QUOTE = /\\*["'`]|&(?:quot|apos|#34|#39|#x22|#x27);/iy;
/** The characters before a name. */
const BEFORE_NAME = /[\s?&;,"'`<>(){}=:/#|\\]/;
const MAX_NAME_LENGTH = 200;
/** Spaces that are skipped between a name, its separator and its value. */
const MAX_SPACES = 40;
/** The end of a value without quotes, after `=` and after `:`. */
const END = { '=': /[&;\s"'<>]/g, ':': /[\s&;,"'`<>(){}[\]]/g } as const;
const LITERAL = /^(?:true|false|null|undefined|none|nan|function)$/i;

/** Masks what follows a secret name: `token=…`, `password: '…'`, `"secret": ["…"]`, `'pin' => '…'`. */
export function maskPairs(text: string, names: SecretNames, hide: Mask): string {
  const separator = /[=:]/g;
  let masked = '';
  let copied = 0;
  let declared: ReadonlySet<string> | undefined;
  const skipTo = (at: number): void => {
    separator.lastIndex = at;
  };
  for (let found = separator.exec(text); found; found = separator.exec(text)) {
    const sign = found[0] as '=' | ':';
    const { name, isQuoted } = nameBefore(text, found.index, copied);
    if (name === '') continue;
    const isLong = text[found.index + 1] === '>'; // `=>`
    const start = skipSpaces(text, found.index + (isLong ? 2 : 1));
    const hasSpace = start > found.index + 1;
    // Only forms and queries use `code` for a secret, that of OAuth 2. A short value is a status or a country.
    const isCode = sign === '=' && !hasSpace && /(?:^|[\].[_-])code\]?$/i.test(name);
    const secrecy = names.secrecyOf(name) ?? (isCode ? 'weak' : undefined);
    if (!secrecy) continue;
    const mask: Mask = (value) => hide(value, secrecy === 'strong');
    if (sign === ':' && text.includes('$')) {
      declared ??= declaredVariables(text);
      if (isGraphqlVariable(text, name, start, declared)) continue;
    }
    QUOTE.lastIndex = start;
    const [quote] = QUOTE.exec(text) ?? [];
    if (quote !== undefined) {
      const end = endOfQuoted(text, start, quote);
      masked += text.slice(copied, start + quote.length) + mask(text.slice(start + quote.length, end));
      copied = end;
      skipTo(end);
    } else if (text[start] === '[' || text[start] === '{') {
      const { end, replaced } = maskNested(text, start, mask);
      masked += text.slice(copied, start) + replaced;
      copied = end;
      skipTo(end);
    } else {
      // The value of another line belongs to another name.
      if (text.slice(found.index, start).includes('\n')) continue;
      if (sign === '=' ? hasSpace && secrecy === 'weak' : !isQuoted && (secrecy === 'weak' || !hasSpace))
        continue;
      // After the checks that need no value: in `token:token:…` each value would reach to the end of the text.
      const end = indexOf(text, END[sign], start);
      const value = text.slice(start, end);
      if (value === '' || LITERAL.test(value) || (isCode && value.length < 6)) continue;
      if (/^=+$/.test(value) || (sign === ':' && (value.startsWith('//') || text[end] === '('))) continue;
      masked += text.slice(copied, start) + (isQuoted && /^-?[\d.]+$/.test(value) ? '0' : mask(value));
      copied = end;
      skipTo(end);
    }
  }
  return masked + text.slice(copied);
}

/** Whether a name is a variable of a GraphQL document with its type, `$password: String!`, or has one as value. */
function isGraphqlVariable(
  text: string,
  name: string,
  start: number,
  declared: ReadonlySet<string>,
): boolean {
  GRAPHQL_TYPE.lastIndex = start;
  if (name.startsWith('$')) return GRAPHQL_TYPE.test(text);
  GRAPHQL_REFERENCE.lastIndex = start;
  const [reference] = GRAPHQL_REFERENCE.exec(text) ?? [];
  return reference !== undefined && declared.has(reference);
}

/** Returns the variables that GraphQL documents in a text declare: `$password`. */
function declaredVariables(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(/(\$\w{1,100})\s{0,20}:/g), ([, name = '']) => name));
}

const GRAPHQL_TYPE = /\[?[A-Z_a-z]\w{0,100}[!\]]{0,3}\s{0,20}(?=[,)=$])/y;
const GRAPHQL_REFERENCE = /\$\w{1,100}(?=[\s,)}\]])/y;
/** An argument of GraphQL whose value is a variable: `password: $p`. */
const ARGUMENT = /(\w{1,100})\s{0,20}:\s{0,20}\$(\w{1,100})/g;

/** Returns the variables of GraphQL documents in a text that are values of arguments with a secret name. */
export function secretVariables(text: string, names: SecretNames): ReadonlySet<string> {
  return new Set(
    Array.from(text.matchAll(ARGUMENT), ([, argument = '', variable = '']) =>
      names.secrecyOf(argument) === undefined ? '' : variable,
    ),
  );
}

/** Returns the name before a separator, without its quotes. */
function nameBefore(text: string, separator: number, from: number): { name: string; isQuoted: boolean } {
  let end = separator;
  while (end > from && separator - end < MAX_SPACES && /\s/.test(text[end - 1] as string)) end--;
  const [quote = ''] =
    /\\{0,8}["'`]$|&(?:quot|#34|#39);$/.exec(text.slice(Math.max(from, end - 9), end)) ?? [];
  end -= quote.length;
  let start = end;
  while (start > from && end - start < MAX_NAME_LENGTH && !BEFORE_NAME.test(text[start - 1] as string))
    start--;
  // `"pass\u0077ord"`: a backslash ends a name, except before `u`.
  while (quote !== '' && start > from && text.startsWith('\\u', start - 1)) {
    start--;
    while (start > from && end - start < MAX_NAME_LENGTH && !BEFORE_NAME.test(text[start - 1] as string))
      start--;
  }
  return { name: text.slice(start, end), isQuoted: quote !== '' };
}

/** Masks the strings in an object or array that is not JSON, such as the output of `util.inspect`. */
function maskNested(text: string, start: number, mask: Mask): { end: number; replaced: string } {
  const token = /["'`]|[[\]{}(]/g;
  token.lastIndex = start;
  let depth = 0;
  let replaced = '';
  let copied = start;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const at = found.index;
    if (found[0] === '(') return { end: at, replaced: replaced + text.slice(copied, at) }; // Code, not data.
    if (found[0] === '[' || found[0] === '{') depth++;
    else if (found[0] === ']' || found[0] === '}') {
      depth--;
      if (depth === 0) return { end: at + 1, replaced: replaced + text.slice(copied, at + 1) };
    } else {
      const end = endOfQuoted(text, at, found[0]);
      token.lastIndex = end + 1;
      if (text[skipSpaces(text, end + 1)] === ':') continue;
      replaced += text.slice(copied, at + 1) + mask(text.slice(at + 1, end));
      copied = end;
    }
  }
  return { end: text.length, replaced: replaced + text.slice(copied) };
}

/**
 * Returns the index of the quote that ends a quoted text; the end of the line, or of the text, if none does. Only text in
 * backticks has several lines.
 */
function endOfQuoted(text: string, start: number, quote: string): number {
  const end = closingMark(text, start, quote);
  if (quote === '`') return end;
  const line = text.slice(start, end).indexOf('\n');
  return line < 0 ? end : start + line;
}

function closingMark(text: string, start: number, quote: string): number {
  if (quote.length === 1) return closingQuote(text, start, quote);
  const from = start + quote.length;
  if (quote.startsWith('&')) return indexOf(text, new RegExp(quote, 'gi'), from);
  // In JSON inside JSON, `\"` ends a string and `\\\"` does not.
  const mark = quote.at(-1) as string;
  for (let at = text.indexOf(mark, from); at >= 0; at = text.indexOf(mark, at + 1)) {
    const slashes = slashesBefore(text, at, from);
    if (slashes < quote.length) return at - slashes;
  }
  return text.length;
}

function indexOf(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

const TAG = /<(\/?)([\p{L}_][\p{L}\p{N}_:.-]{0,100})(?=[\s/>])((?:[^<>"']|"[^"]*"|'[^']*')*)>/gu;
const ATTRIBUTE = /([\w:.-]{1,100})\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>=]+)/g;
/** The attributes that name the value of an element: `<meta name="csrf-token" content="…">`. */
const NAMING = /^(?:name|id|property|itemprop|type)$/i;

/** Masks the content of XML elements with a secret name, and the values of HTML elements that name a secret. */
export function maskMarkup(text: string, names: SecretNames, mask: Mask): string {
  const closed = new Set(Array.from(text.matchAll(/<\/([^\s<>]{1,101})/g), ([, name]) => name));
  /** The secret element that is open, and how many elements of its name are open. */
  let open: { readonly name: string; depth: number } | undefined;
  let masked = '';
  let copied = 0;
  for (const { 0: tag, 1: slash, 2: name = '', 3: rest = '', index } of text.matchAll(TAG)) {
    masked += open ? maskContent(text.slice(copied, index), mask) : text.slice(copied, index);
    masked += slash || open ? tag : maskAttributes(tag, names, mask);
    copied = index + tag.length;
    if (open) {
      if (name === open.name && !rest.endsWith('/')) open.depth += slash ? -1 : 1;
      if (open.depth === 0) open = undefined;
    } else if (!slash && !rest.endsWith('/') && closed.has(name) && isSecretElement(name, names))
      open = { name, depth: 1 };
  }
  return masked + (open ? maskContent(text.slice(copied), mask) : text.slice(copied));
}

function isSecretElement(name: string, names: SecretNames): boolean {
  return names.secrecyOf(name.slice(name.indexOf(':') + 1)) !== undefined;
}

/** Keeps the spaces around a value, and the frame of a CDATA section. */
function maskContent(text: string, mask: Mask): string {
  const value = text.trim().replace(/^<!\[CDATA\[|\]\]>$/g, '');
  const start = text.indexOf(value);
  return text.slice(0, start) + mask(value) + text.slice(start + value.length);
}

function maskAttributes(tag: string, names: SecretNames, mask: Mask): string {
  const attributes = [...tag.matchAll(ATTRIBUTE)];
  const isSecret = attributes.some(
    ([, name = '', value = '']) => NAMING.test(name) && names.secrecyOf(value.replace(/["']/g, '')),
  );
  if (!isSecret) return tag;
  return tag.replace(ATTRIBUTE, (all, name: string, value: string) => {
    if (!/^(?:value|content)$/i.test(name)) return all;
    const quote = /^["']/.exec(value)?.[0] ?? '';
    const text = value.slice(quote.length, value.length - quote.length);
    return `${all.slice(0, -value.length)}${quote}${mask(text)}${quote}`;
  });
}

const PEM = '-----BEGIN ';

/** Masks keys and certificates in PEM, also those whose end is missing. RFC 7468 */
export function maskPem(text: string, mask: Mask): string {
  let masked = '';
  let copied = 0;
  for (let at = text.indexOf(PEM); at >= 0; at = text.indexOf(PEM, copied)) {
    const footer = text.indexOf('-----END', at);
    const dashes = footer < 0 ? -1 : text.indexOf('-----', footer + 8);
    const end = dashes < 0 ? text.length : dashes + 5;
    masked += text.slice(copied, at) + mask(text.slice(at, end));
    copied = end;
  }
  return masked + text.slice(copied);
}

/** Masks the password in `https://user:password@host`. */
export function maskUserinfo(text: string, mask: Mask): string {
  return text.replace(/:\/\/([^\s/?#"'<>]*)/g, (all, authority: string) => {
    const end = authority.lastIndexOf('@');
    const colon = authority.indexOf(':');
    if (colon < 0 || colon > end) return all;
    return `://${authority.slice(0, colon + 1)}${mask(authority.slice(colon + 1, end))}${authority.slice(end)}`;
  });
}

/** Masks JSON Web Tokens, signed or encrypted. RFC 7519 §3 */
export function maskJwts(text: string, mask: Mask): string {
  return text.replace(/[\w.-]+/g, (run) => {
    let start = 0;
    for (const part of run.split('.').slice(0, -1)) {
      const at = part.search(/(?<![A-Za-z0-9])eyJ[\w-]/);
      if (at >= 0) return run.slice(0, start + at) + mask(run.slice(start + at));
      start += part.length + 1;
    }
    return run;
  });
}

/** Masks lines of headers that carry credentials, anywhere in a text. */
export function maskCredentialLines(text: string, mask: (name: string, value: string) => string): string {
  return text.replace(
    /\b((?:proxy-)?authorization|(?:set-)?cookie): ?(?!["'`[{])([^\r\n]+)/gi,
    (all, name: string, value: string) => all.slice(0, -value.length) + mask(name, value),
  );
}

/** Masks credentials after their scheme: `Bearer …`. */
export function maskBearers(text: string, mask: Mask): string {
  return text.replace(/\b(Bearer|Basic) +([\w.~+/=-]{8,})/gi, (all, scheme: string, value: string) =>
    /^[a-z-]+[.,]?$/.test(value) ? all : `${scheme} ${mask(value)}`,
  );
}

/** Masks the segment of a path that follows a name such as `reset-password`, if it is long. */
export function maskPathTokens(text: string, mask: Mask): string {
  return text.replace(/(?<=\/([\w-]{3,40})\/)[\w.~%-]{16,}/g, (segment, name: string) =>
    BEFORE_TOKEN.test(name) && /\d/.test(segment) ? mask(segment) : segment,
  );
}

const BEFORE_TOKEN =
  /(?:^|[-_])(?:token|secret|reset|verify|verification|confirm|confirmation|activate|activation|invite|invitation|magic|unsubscribe|password)(?:$|[-_])/i;

/** Masks numbers of payment cards: 15 or 16 digits whose checksum is right. */
export function maskCards(text: string, mask: Mask): string {
  return text.replace(
    /(?<![\w.])[2-6]\d{3}([ -]?)\d{4}\1\d{4}\1\d{3,4}(?!\w)|(?<![\w.])3[47]\d{13}(?!\w)/g,
    (number) => (isCard(number.replace(/\D/g, '')) ? mask(number) : number),
  );
}

/** Whether the Luhn checksum of ISO/IEC 7812-1 is right. */
function isCard(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

const AT = /@|%40|&#64;|&#x40;|&commat;/gi;
const LOCAL_PART = /[\p{L}\p{N}_.+%-]/u;
const DOMAIN = /[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+/uy;

/** Masks e-mail addresses; the sign between their parts may be encoded for a URL or a page. */
export function maskAddresses(text: string, mask: Mask): string {
  let masked = '';
  let copied = 0;
  let from = 0;
  for (const { 0: sign, index } of text.matchAll(AT)) {
    let start = index;
    while (start > from && LOCAL_PART.test(text[start - 1] as string)) start--;
    DOMAIN.lastIndex = index + sign.length;
    const [domain] = DOMAIN.exec(text) ?? [];
    from = index + sign.length;
    // `vue@3.5.1` is a package: no top-level domain is a number. RFC 3696 §2
    if (start === index || domain === undefined || /\.\d+$/.test(domain)) continue;
    const local = text.slice(start, index);
    masked += text.slice(copied, start);
    masked += isMasked(local) ? local + sign + domain : `${mask(`${local}@${domain}`)}${sign}masked.test`;
    copied = index + sign.length + domain.length;
  }
  return masked + text.slice(copied);
}

/** Whether a text is a replacement, so that a text that was masked before does not change. */
export function isMasked(text: string): boolean {
  return /^masked-[\da-f]{4}$/.test(text);
}

/** Applies `scrub` to the parts of a text that are encoded for a URL: `?next=%2Flogin%3Ftoken%3D…`. */
export function scrubEncoded(text: string, scrub: Mask): string {
  return text.replace(/[^\s"'<>&;=?#]+/g, (run) => {
    if (!/%(?:3[ad]|22|25)/i.test(run)) return run;
    const plain = decodePercent(run);
    const scrubbed = scrub(plain);
    return scrubbed === plain ? run : encode(scrubbed);
  });
}

/** Encodes a text for a URL. Lone surrogates, which `encodeURIComponent` refuses, become U+FFFD. */
export function encode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}
