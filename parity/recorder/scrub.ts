/** Masks secrets in recordings and reports. Equal secrets get equal replacements, so that they remain comparable. */
import { createHash, randomBytes } from 'node:crypto';
import { unescape as decodePercent } from 'node:querystring';
import { decodeBody, encodeBody } from '../client/decode';
import { isDistinct, KnownSecrets } from './known-secrets';
import type { Memory } from './memory';
import { boundaryOf, type Part, type Replacement, replaceParts } from './multipart';
import { isJson, maskJson } from './scan-json';
import {
  encode,
  isMasked,
  maskAddresses,
  maskBearers,
  maskCards,
  maskCredentialLines,
  maskJwts,
  maskMarkup,
  maskPairs,
  maskPathTokens,
  maskPem,
  maskUserinfo,
  scrubEncoded,
  secretVariables,
} from './scan-text';
import { SecretNames } from './secret-names';
import { maskFormats } from './token-formats';

export interface ScrubOptions {
  /** The names of headers to mask in addition to cookies and those with a secret name, in any letter case. */
  readonly headers?: readonly string[];
  /** The JSON members, form fields and query parameters to mask in addition to those with a secret name. */
  readonly members?: readonly string[];
  /** Whether to mask e-mail addresses; default true. */
  readonly emails?: boolean;
  /** Whether to keep bodies and parts of forms that are not text; default false: each byte is replaced with `x`. */
  readonly binary?: boolean;
}

/** A masked body, with what was dropped from it. */
export interface ScrubbedBody {
  readonly bytes: Buffer;
  /** What was replaced because it could not be read: `a body that is not text`. Empty if nothing was. */
  readonly dropped: readonly string[];
}

export interface BodyDescription {
  /** The value of Content-Type. */
  readonly type?: string | undefined;
  /** The value of Content-Encoding, if the body is still encoded. */
  readonly encoding?: string | undefined;
  /** The maximum length of the decoded body in bytes; default 64 MiB. A longer body is dropped. */
  readonly limit?: number | undefined;
}

/** Headers with secret values whose names do not show it. */
// biome-ignore format: a table
const HEADERS = [
  'sec-websocket-protocol', 'authentication-info', 'proxy-authentication-info',
  'x-forwarded-client-cert',
  'x-amzn-oidc-data', 'x-amzn-oidc-identity', 'x-ms-client-principal', 'x-wp-nonce',
];
/** The schemes of credentials, which stay readable. */
const SCHEME =
  /^((?:basic|bearer|digest|negotiate|ntlm|token|apikey|api-key|oauth|hawk|dpop|hoba|mutual|vapid|gnap|privatetoken|aws4-hmac-sha256|sharedkey|scram-sha-\d+) +)(.+)$/is;
/** Headers that describe a message or a connection, and have no secrets. */
const PLAIN =
  /^(?:accept(?:-.*)?|age|allow|cache-control|connection|content-(?!disposition|location).*|date|expires|host|keep-alive|last-modified|server|te|trailer|transfer-encoding|upgrade|vary|x-powered-by)$/;
/** The shortest token of a provider, and number of a card. */
const MIN_FORM_LENGTH = 13;
/** A boolean is no secret: `Access-Control-Allow-Credentials: true`. */
const LITERAL = /^(?:true|false|null|undefined|none)?$/i;
/** How many texts inside texts are read: JSON in a string of JSON, a URL in a parameter. A deeper text is masked. */
const DEEPEST = 4;
/** Charsets in which ASCII characters have one byte, the same as in UTF-8. */
const LIKE_ASCII = /^(?:utf-?8|(?:us-)?ascii|iso-8859-\d+|latin1|windows-125\d)$/i;
const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.+-]*(?:json|xml|javascript|graphql|x-www-form-urlencoded)))/i;

/** Matches the line and the column of a stack frame. */
const POSITION = /:\d+:\d+/g;
/** The characters before the path of a stack frame. */
const BEFORE_PATH = /[\s"'<>():]/;

/** Masks secrets. The salt is random, so that a replacement does not reveal a guessable secret. */
export class Scrubber {
  readonly #salt = randomBytes(8);
  readonly #names: SecretNames;
  readonly #hidesEmails: boolean;
  /** The hashes of masked values by the digits of their replacements; at most 65,536, because those have four digits. */
  readonly #hashes = new Map<string, string>();
  /** The masked values by the same digits, only with `memory`. */
  readonly #values = new Map<string, string>();
  readonly #memory: Memory | undefined;
  /** Secrets that are masked wherever they are. */
  readonly known = new KnownSecrets((text) => this.#hashOf(text));
  #forgotten = 0;
  readonly #keepsBinary: boolean;

  /** @param memory For the masked values; without it, `valueOf` returns none. */
  constructor(
    { headers = [], members = [], emails = true, binary = false }: ScrubOptions = {},
    memory?: Memory,
  ) {
    this.#memory = memory;
    // Logs and responses contain headers, too.
    this.#names = new SecretNames([...HEADERS, ...headers, ...members]);
    this.#hidesEmails = emails;
    this.#keepsBinary = binary;
  }

  /** How many different values were replaced. */
  get masked(): number {
    return this.#hashes.size;
  }

  /** How many values were masked that the memory does not hold. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** Returns the value of a replacement such as `masked-1a2b`; undefined if it is not in the memory. */
  valueOf(replacement: string): string | undefined {
    return this.#values.get(replacement.slice('masked-'.length, 'masked-1a2b'.length));
  }

  /** Masks the secrets in a header value. It keeps the names and attributes of cookies, and the scheme of credentials. */
  header(name: string, value: string): string {
    const known = name.toLowerCase();
    if (known === 'cookie')
      return value
        .split(';')
        .map((pair) => this.#cookie(pair))
        .join(';');
    if (known === 'set-cookie') {
      const [pair = '', ...attributes] = value.split(';');
      return [this.#cookie(pair), ...attributes].join(';');
    }
    if (PLAIN.test(known)) return value;
    const secrecy = this.#names.secrecyOf(known);
    if (secrecy) return this.#hide(value, secrecy === 'strong');
    return known === 'location' || known === 'referer' ? this.url(value) : this.text(value);
  }

  /** Masks what is known to be secret by now in a text that was masked before. A masked JSON number becomes 0. */
  again(text: string): string {
    if (!isJson(text)) return this.known.replace(text);
    const nothing = { secrecyOf: () => undefined };
    return maskJson(text, { names: nothing, mask: this.mask, scrub: (value) => this.known.replace(value) });
  }

  /** Masks a text that may contain header lines, such as a whole request or a log line. */
  lines(text: string): string {
    const headers = text.replace(/^([\w-]+): *([^\r\n]*)/gm, (line: string, name: string, value: string) =>
      this.#hides(name.toLowerCase()) ? `${name}: ${this.header(name, value)}` : line,
    );
    return this.text(headers);
  }

  #hides(name: string): boolean {
    return name === 'set-cookie' || this.#names.secrecyOf(name) !== undefined;
  }

  /** Masks passwords, tokens, keys and e-mail addresses in a body, a URL or a log line. A masked JSON number becomes 0. */
  text(text: string): string {
    return this.#text(text, 0);
  }

  /** Masks secrets in a URL or in the target of a request: in its path and its query. */
  url(target: string): string {
    const [, path = '', query, hash = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(target) ?? [];
    return this.text(path) + (query === undefined ? '' : `?${this.#form(query, 0)}`) + this.text(hash);
  }

  /** Masks secrets in a body. What it cannot read, it replaces with the same number of `x`. */
  body(bytes: Buffer, { type = '', encoding = '', limit }: BodyDescription = {}): ScrubbedBody {
    if (bytes.length === 0) return { bytes, dropped: [] };
    if (encoding.trim() === '') return this.#body(bytes, type, 0);
    const plain = decodeBody(bytes, encoding, limit);
    if (!plain) return this.#keepsBinary ? keep(bytes) : drop(bytes, 'a body that cannot be decoded');
    const scrubbed = this.#body(plain, type, 0);
    if (scrubbed.bytes.equals(plain)) return { ...scrubbed, bytes };
    const encoded = encodeBody(scrubbed.bytes, encoding);
    return encoded ? { ...scrubbed, bytes: encoded } : drop(bytes, 'a body that cannot be encoded again');
  }

  /** Removes the folders of this machine from a page or a log line, because stack frames contain them. */
  paths(text: string): string {
    let shown = '';
    let copied = 0;
    for (const { 0: position, index } of text.matchAll(POSITION)) {
      let start = index;
      while (start > copied && !BEFORE_PATH.test(text[start - 1] as string)) start--;
      const drive = /(?<!\w)[A-Z]:$/i.exec(text.slice(Math.max(copied, start - 3), start))?.[0];
      if (drive && /[\\/]/.test(text[start] as string)) start -= drive.length;
      else {
        const slash = text.slice(start, index).indexOf('/');
        if (slash < 0) continue;
        start += slash;
      }
      const isUrl = text.startsWith('file://', start - 5);
      shown += text.slice(copied, isUrl ? start - 5 : start);
      shown += shorten(text.slice(isUrl ? start + 2 : start, index)) + position;
      copied = index + position.length;
    }
    return (shown + text.slice(copied)).replaceAll(process.cwd(), '/application');
  }

  /**
   * Replaces a value with `masked-` and four hexadecimal digits, other digits for each value. An empty or masked value does
   * not change.
   */
  readonly mask = (value: string): string => {
    if (value === '' || isMasked(value) || isMasked(value.replace('@masked.test', ''))) return value;
    const hash = this.#hashOf(value);
    const free = hash.match(/.{4}/g)?.find((four) => (this.#hashes.get(four) ?? hash) === hash);
    const digits = free ?? hash.slice(0, 4);
    if (this.#hashes.get(digits) !== hash) {
      this.#hashes.set(digits, hash);
      this.#remember(digits, value);
    }
    return `masked-${digits}`;
  };

  #hashOf(text: string): string {
    return createHash('sha256').update(this.#salt).update(text).digest('hex');
  }

  #remember(digits: string, value: string): void {
    if (!this.#memory) return;
    this.#memory.give(sizeOf(this.#values.get(digits)));
    this.#values.delete(digits);
    // A copy: V8 keeps the whole text of which a string is a part.
    if (this.#memory.take(sizeOf(value))) this.#values.set(digits, JSON.parse(JSON.stringify(value)));
    else this.#forgotten++;
  }

  /** Masks the value of a secret name. */
  readonly #hide = (value: string, isStrong = false): string => {
    if (LITERAL.test(value)) return value;
    const [, scheme = '', credentials = value] = SCHEME.exec(value) ?? [];
    if (/^basic /i.test(scheme)) this.#learnPassword(credentials);
    return scheme + this.#learn(credentials, isStrong || scheme !== '');
  };

  /** Masks a secret that was found by its form. */
  readonly #mask = (value: string): string => this.#learn(value, true);

  /** Masks a value, and from now on wherever it is, unless it may have another meaning there. */
  #learn(value: string, isStrong: boolean): string {
    const masked = this.mask(value);
    if (masked === value || !isDistinct(value, isStrong)) return masked;
    this.known.add(value, masked);
    for (const plain of [decodePercent(value), decodeEntities(value)])
      if (plain !== value) this.known.add(plain, masked);
    return masked;
  }

  /** The password of `Basic` credentials. RFC 7617 */
  #learnPassword(credentials: string): void {
    const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? [];
    if (isDistinct(password, true) && !password.includes('\ufffd'))
      this.known.add(password, this.mask(password));
  }

  /** Masks the value of a cookie. A cookie without `=` has no name, only a value. See `draft-ietf-httpbis-rfc6265bis`. */
  #cookie(pair: string): string {
    const [, before = '', name = '', value = ''] = /^(\s*)((?:[^=]*=)?)(.*)$/s.exec(pair) ?? [];
    return (
      before + name + this.#learn(value.trim(), this.#names.secrecyOf(name.replace(/=$/, '')) !== undefined)
    );
  }

  #text(text: string, depth: number): string {
    if (text.length < 3) return text;
    if (!/[@=:%<./ -]/.test(text)) return this.#forms(text);
    if (depth > DEEPEST) return this.mask(text);
    if (isJson(text)) return this.#json(text, depth);
    const deeper = (inner: string): string => this.#text(inner, depth + 1);
    let masked = text.includes('{') || text.includes('[') ? this.#jsonLines(text, depth) : text;
    masked = maskPem(masked, this.#mask);
    const boundary = masked.includes('--') ? boundaryOf('', masked) : undefined;
    if (boundary !== undefined) {
      const { bytes } = this.#multipart(Buffer.from(masked), boundary, depth) ?? {};
      if (bytes) return bytes.toString();
    }
    if (masked.includes('<')) masked = maskMarkup(masked, this.#names, this.#hide);
    if (masked.includes(':')) masked = maskCredentialLines(masked, (name, value) => this.header(name, value));
    if (/[=:]/.test(masked)) masked = maskPairs(masked, this.#names, this.#hide);
    if (masked.includes('%')) masked = scrubEncoded(masked, deeper);
    if (masked.includes('eyJ')) masked = maskJwts(masked, this.#mask);
    if (masked.includes('://')) masked = maskUserinfo(masked, this.#mask);
    if (masked.includes(' ')) masked = maskBearers(masked, this.#mask);
    if (masked.includes('/')) masked = maskPathTokens(masked, this.#mask);
    if (this.#hidesEmails) masked = maskAddresses(masked, this.mask);
    return this.#forms(masked);
  }

  /** Masks what is secret by its form, and what was secret in another place. */
  #forms(text: string): string {
    if (text.length < MIN_FORM_LENGTH) return this.known.replace(text);
    return this.known.replace(maskCards(maskFormats(text, this.#mask), this.#mask));
  }

  #json(text: string, depth: number): string {
    const variables = text.includes('$') ? secretVariables(text, this.#names) : undefined;
    return maskJson(text, {
      names: variables?.size
        ? { secrecyOf: (name) => (variables.has(name) ? 'strong' : this.#names.secrecyOf(name)) }
        : this.#names,
      mask: this.#hide,
      scrub: (value) => this.#text(value, depth + 1),
    });
  }

  /** Masks the lines that contain JSON, such as those of a log, of NDJSON and of server-sent events. */
  #jsonLines(text: string, depth: number): string {
    return text.replace(/[^\r\n]+/g, (line) => {
      const end = Math.max(line.lastIndexOf(']'), line.lastIndexOf('}')) + 1;
      // A line may begin with text in brackets: `[info] {"user":…}`.
      const start = [line.search(/[[{]/), line.indexOf('{')].find(
        (at) => at >= 0 && isJson(line.slice(at, end)),
      );
      if (start === undefined) return line;
      return line.slice(0, start) + this.#json(line.slice(start, end), depth) + line.slice(end);
    });
  }

  /** Masks a form or a query. It keeps the encoding of what does not change. */
  #form(text: string, depth: number): string {
    return text
      .split('&')
      .map((pair) => this.#field(pair, depth))
      .join('&');
  }

  #field(pair: string, depth: number): string {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals < 0 ? pair.length : equals);
    const scrubbedName = this.#encoded(name, depth);
    if (equals < 0) return scrubbedName;
    const value = pair.slice(equals + 1);
    const plain = decodeField(value);
    const plainName = decodeField(name);
    // Forms and queries use `code` for a secret, that of OAuth 2. A short value is a status or a country.
    const isCode = plain.length >= 6 && /(?:^|[^a-z])code\]?$/i.test(plainName);
    const secrecy = this.#names.secrecyOf(plainName);
    if (secrecy || isCode) {
      const hidden = this.#hide(plain, secrecy === 'strong');
      return `${scrubbedName}=${hidden === plain ? value : encode(hidden)}`;
    }
    return `${scrubbedName}=${this.#encoded(value, depth)}`;
  }

  #encoded(text: string, depth: number): string {
    const plain = decodeField(text);
    const scrubbed = this.#text(plain, depth + 1);
    return scrubbed === plain ? text : encode(scrubbed);
  }

  #body(bytes: Buffer, type: string, depth: number): ScrubbedBody {
    const head = bytes.toString('latin1', 0, 1024);
    const boundary = boundaryOf(type, head);
    if (boundary !== undefined && depth <= DEEPEST) {
      const scrubbed = this.#multipart(bytes, boundary, depth);
      if (scrubbed) return scrubbed;
    }
    if (/^multipart\//i.test(type)) return this.#unread(bytes, 'a multipart body without parts');
    const charset = charsetOf(bytes, type);
    if (!charset)
      return this.#unread(bytes, depth === 0 ? 'a body that is not text' : 'a part that is not text');
    const text = bytes.toString(charset);
    const isForm = /^application\/x-www-form-urlencoded/i.test(type) && !isJson(text);
    const scrubbed = isForm ? this.#form(text, depth) : this.#text(text, depth);
    return keep(scrubbed === text ? bytes : Buffer.from(scrubbed, charset));
  }

  #multipart(bytes: Buffer, boundary: string, depth: number): ScrubbedBody | undefined {
    const dropped: string[] = [];
    const replace = ({ head, names, type, transferEncoding, content }: Part): Replacement => {
      const masked = this.#text(head, depth + 1);
      if (names.some((name) => this.#names.secrecyOf(name)))
        return { head: masked, content: this.#hideBytes(content) };
      const isBase64 = transferEncoding === 'base64';
      const plain = isBase64 ? Buffer.from(content.toString('latin1'), 'base64') : content;
      const scrubbed = this.#body(plain, type ?? '', depth + 1);
      dropped.push(...scrubbed.dropped);
      if (scrubbed.bytes.equals(plain)) return { head: masked, content };
      return {
        head: masked,
        content: isBase64 ? Buffer.from(scrubbed.bytes.toString('base64')) : scrubbed.bytes,
      };
    };
    const masked = replaceParts(bytes, boundary, replace, (text) => this.#text(text, depth + 1));
    return masked && { bytes: masked, dropped: [...new Set(dropped)] };
  }

  #hideBytes(content: Buffer): Buffer {
    const text = content.toString();
    const isText = Buffer.from(text).equals(content);
    return isText ? Buffer.from(this.#hide(text, true)) : Buffer.from(this.mask(content.toString('latin1')));
  }

  #unread(bytes: Buffer, what: string): ScrubbedBody {
    return this.#keepsBinary ? keep(bytes) : drop(bytes, what);
  }
}

/** The most bytes that V8 needs for the characters of a string. */
function sizeOf(text = ''): number {
  return 2 * text.length;
}

function keep(bytes: Buffer): ScrubbedBody {
  return { bytes, dropped: [] };
}

/** Keeps the length, so that a replayed request reaches the same limits. */
function drop(bytes: Buffer, what: string): ScrubbedBody {
  return bytes.length === 0 ? keep(bytes) : { bytes: Buffer.alloc(bytes.length, 'x'), dropped: [what] };
}

/**
 * Returns the encoding in which a body is text. A body of an unknown charset is not text, and neither is one with NUL
 * characters, such as UTF-16.
 */
function charsetOf(bytes: Buffer, type: string): 'utf8' | 'latin1' | undefined {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type) ?? [];
  if (bytes.includes(0) || !LIKE_ASCII.test(charset)) return undefined;
  if (Buffer.from(bytes.toString('utf8')).equals(bytes)) return 'utf8';
  return TEXT_TYPE.test(type) ? 'latin1' : undefined;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Decodes the entities of XML. */
function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,5})|#x([\da-f]{1,4})|(amp|lt|gt|quot|apos));/gi,
    (_all, decimal?: string, hex?: string, name?: string) =>
      ENTITIES[name?.toLowerCase() ?? ''] ?? String.fromCharCode(Number(decimal ?? `0x${hex}`)),
  );
}

function decodeField(text: string): string {
  return /%[\da-f]{2}|\+/i.test(text) ? decodePercent(text.replaceAll('+', ' ')) : text;
}

/**
 * Replaces the folders before `node_modules`, or the working directory, with `/application`. Of any other path it keeps
 * only the file name.
 */
function shorten(file: string): string {
  const path = file.replace(/\\+/g, '/');
  const home = process.cwd().replaceAll('\\', '/');
  const at = path.indexOf('/node_modules/');
  if (at >= 0) return `/application${path.slice(at)}`;
  return path.startsWith(`${home}/`)
    ? `/application${path.slice(home.length)}`
    : `/application/${path.split('/').pop()}`;
}
