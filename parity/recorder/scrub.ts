/** Masks secrets in recordings and reports. Equal secrets get equal replacements, different secrets different ones. */
import { createHash, randomBytes } from 'node:crypto';

export interface ScrubOptions {
  /** The headers to mask in addition to cookies and authorization. */
  readonly headers?: readonly string[];
  /** The JSON members, form fields and query parameters to mask in addition to passwords and tokens. */
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
/** A JSON Web Token anywhere in a text. RFC 7519 §3 */
const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;

/** An absolute path with line and column. */
const FRAME = /(?:file:\/\/)?((?:\/|\b[A-Z]:[\\/])[^\s"'<>():]+:\d+:\d+)/g;

/**
 * Shortens a path: it begins at `node_modules`, or at the folder in which the application was started, or is the name
 * of the file.
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

  /**
   * @returns The value with its secrets masked. Names and attributes of cookies, and the scheme of credentials, stay.
   */
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

  /** Masks passwords, tokens and e-mail addresses in a body, a URL or a log line. */
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

  /** Removes the folders of this machine from a page or a log line, because stack traces contain them. */
  paths(text: string): string {
    return text
      .replace(FRAME, (_all, file: string) => shorten(file))
      .replaceAll(process.cwd(), '/application');
  }

  /** @returns `masked-` and four hexadecimal digits; an empty or masked value stays unchanged. */
  mask(value: string): string {
    if (value === '' || /^masked-[\da-f]{4}(@masked\.test)?$/.test(value)) return value;
    return `masked-${createHash('sha256').update(this.#salt).update(value).digest('hex').slice(0, 4)}`;
  }
}

function toPattern(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
