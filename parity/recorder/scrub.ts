/** Masks secrets in recordings and reports. Equal secrets get equal replacements, so that they remain comparable. */
import { createHash, randomBytes } from 'node:crypto';

export interface ScrubOptions {
  /** The names of headers to mask in addition to cookies, authorization and API keys, in any letter case. */
  readonly headers?: readonly string[];
  /** The JSON members, form fields and query parameters to mask in addition to passwords, tokens and card numbers. */
  readonly members?: readonly string[];
  /** Whether to mask e-mail addresses; default true. */
  readonly emails?: boolean;
}

const HEADERS = [
  ...['authorization', 'proxy-authorization', 'x-api-key', 'api-key', 'x-auth-token', 'x-access-token'],
  ...['x-csrf-token', 'x-xsrf-token', 'csrf-token', 'x-amz-security-token'],
];
const MEMBERS = [
  ...['password', 'passwd', 'pwd', 'passphrase', 'secret', 'client_secret', 'token', 'access_token'],
  ...['refresh_token', 'id_token', 'api_key', 'apikey', 'auth', 'authorization', 'csrf', '_csrf', 'session'],
  ...['sessionid', 'session_id', 'otp', 'pin', 'credit_card', 'card_number', 'cvv', 'iban', 'ssn'],
];
const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
/** Matches a JSON Web Token anywhere in a text. RFC 7519 §3 */
const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;

/** Matches an absolute path with line and column, as in a stack frame. */
const FRAME = /(?:file:\/\/)?((?:\/|\b[A-Z]:[\\/])[^\s"'<>():]+:\d+:\d+)/g;

/**
 * Replaces the folders before `node_modules`, or the working directory, with `/application`. Of any other path it keeps
 * only the file name.
 */
function shorten(file: string): string {
  const path = file.replace(/\\+/g, '/');
  const home = process.cwd().replaceAll('\\', '/');
  const [inPackage] = /\/node_modules\/.*$/.exec(path) ?? [];
  if (inPackage) return `/application${inPackage}`;
  return path.startsWith(`${home}/`)
    ? `/application${path.slice(home.length)}`
    : `/application/${path.split('/').pop()}`;
}

/** Masks secrets. The salt is random, so that a replacement does not reveal a guessable secret. */
export class Scrubber {
  readonly #salt = randomBytes(8);
  readonly #headers: ReadonlySet<string>;
  readonly #json: RegExp;
  readonly #form: RegExp;
  readonly #part: RegExp;
  readonly #hidesEmails: boolean;

  constructor({ headers = [], members = [], emails = true }: ScrubOptions = {}) {
    this.#headers = new Set([...HEADERS, ...headers].map((name) => name.toLowerCase()));
    const names = [...MEMBERS, ...members].map(toPattern).join('|');
    this.#json = new RegExp(`("(?:${names})"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*"|-?\\d[\\d.]*)`, 'gi');
    this.#form = new RegExp(`((?:^|[?&;\\s])(?:${names})=)([^&;\\s"'<>]+)`, 'gi');
    this.#part = new RegExp(`(name="(?:${names})"\\r?\\n\\r?\\n)([^\\r\\n]*)`, 'gi');
    this.#hidesEmails = emails;
  }

  /** Masks the secrets in a header value. It keeps the names and attributes of cookies, and the scheme of credentials. */
  header(name: string, value: string): string {
    const known = name.toLowerCase();
    if (known === 'cookie')
      return value.replace(
        /(^|;\s*)([^=;]+)=([^;]*)/g,
        (_all, before, key, text) => `${before}${key}=${this.mask(text)}`,
      );
    if (known === 'set-cookie')
      return value.replace(/^([^=;]+)=([^;]*)/, (_all, key, text) => `${key}=${this.mask(text)}`);
    if (!this.#headers.has(known)) return this.text(value);
    const [, scheme = '', text = value] = /^(\w+ +)(.+)$/.exec(value) ?? [];
    return scheme + this.mask(text);
  }

  /** Masks a text that may contain header lines, such as a whole request or a log line. */
  lines(text: string): string {
    const headers = text.replace(/^([\w-]+): *([^\r\n]*)/gm, (line: string, name: string, value: string) =>
      this.#hides(name.toLowerCase()) ? `${name}: ${this.header(name, value)}` : line,
    );
    return this.text(headers);
  }

  #hides(name: string): boolean {
    return name === 'cookie' || name === 'set-cookie' || this.#headers.has(name);
  }

  /** Masks passwords, tokens and e-mail addresses in a body, a URL or a log line. A masked JSON number becomes 0. */
  text(text: string): string {
    const scrubbed = text
      .replace(this.#json, (_all, before: string, value: string) =>
        value.startsWith('"') ? `${before}"${this.mask(value.slice(1, -1))}"` : `${before}0`,
      )
      .replace(this.#form, (_all, before: string, value: string) => before + this.mask(value))
      .replace(this.#part, (_all, before: string, value: string) => before + this.mask(value))
      .replace(JWT, (token) => this.mask(token));
    return this.#hidesEmails
      ? scrubbed.replace(EMAIL, (address) => `${this.mask(address)}@masked.test`)
      : scrubbed;
  }

  /** Removes the folders of this machine from a page or a log line, because stack frames contain them. */
  paths(text: string): string {
    return text
      .replace(FRAME, (_all, file: string) => shorten(file))
      .replaceAll(process.cwd(), '/application');
  }

  /** Replaces a value with `masked-` and four hexadecimal digits. An empty or masked value does not change. */
  mask(value: string): string {
    if (value === '' || /^masked-[\da-f]{4}(@masked\.test)?$/.test(value)) return value;
    return `masked-${createHash('sha256').update(this.#salt).update(value).digest('hex').slice(0, 4)}`;
  }
}

function toPattern(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
