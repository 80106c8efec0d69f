/** Finds the names whose values are secret: of headers, JSON members, form fields, query parameters and XML elements. */
import { unescape as decodePercent } from 'node:querystring';

/** How certain a name is: `strong` names are masked in prose, too; `weak` ones only where a value clearly belongs to them. */
export type Secrecy = 'strong' | 'weak';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** A name with one of these words is secret: `newPassword`, `x-vault-token`. So are two words that form one of them. */
const ANYWHERE = words(
  `password passwd passwort kennwort passphrase passcode pwd pswd secret token credential authorization
  cred bearer jwt csrf xsrf otp totp hotp mfa cvv cvc ssn iban signature sig
  apikey accesskey secretkey privatekey signingkey encryptionkey passkey sessionid sessionkey sessid phpsessid jsessionid
  creditcard cardnumber cardno securitycode verificationcode verifycode confirmationcode authcode authorizationcode
  accesscode resetcode logincode invitecode recoverycode backupcode pincode devicecode phone`,
);
/** A name that ends with one of these words is secret: `x-functions-key`, but not `keyCode`. */
const LAST = words('key pass auth session pin cookie sid verifier assertion');
/** These names are secret if they have no other word, because many names with the word are not: `commitHash`. */
const ALONE = words('hash samlresponse samlrequest');
/** Matches secret words that are written together: `newpassword`, `accesstoken`. */
const JOINED = /(?:password|passwd|passwort|passphrase|secret|token|credential|apikey)$|^passw(?:or)?d/;

/** `key` is not secret after these words. */
const PUBLIC_KEY = words(
  'public primary foreign sort partition cache surrogate idempotency index group translation i18n websocket',
);
/** Names that end with these words describe a secret and do not contain it: `token_type`, `passwordPolicy`. */
const DESCRIPTION = words(
  `type types endpoint endpoints algorithm alg count length limit policy method methods expires expiry expiration ttl at
  age enabled required supported strength label placeholder version provider status name`,
);

/** The longest part of a name that is read, so that a long text before `=` costs little. */
const MAX_NAME_LENGTH = 200;
/** The size of the cache. */
const MAX_NAMES_CACHED = 2000;

export class SecretNames {
  readonly #given: ReadonlySet<string>;
  readonly #known = new Map<string, Secrecy | undefined>();

  /** @param given Names that are secret for this application, in any letter case. */
  constructor(given: readonly string[] = []) {
    this.#given = new Set(given.map((name) => name.toLowerCase()));
  }

  /** Reads a name as written: with `%5B`, `\u0077`, brackets and in any letter case. */
  secrecyOf(name: string): Secrecy | undefined {
    const short = name.slice(-MAX_NAME_LENGTH);
    if (this.#known.has(short)) return this.#known.get(short);
    const secrecy = this.#secrecyOf(decodeName(short));
    if (this.#known.size >= MAX_NAMES_CACHED) this.#known.clear();
    this.#known.set(short, secrecy);
    return secrecy;
  }

  #secrecyOf(name: string): Secrecy | undefined {
    const lower = name.trim().toLowerCase();
    const [last = ''] = /[^.[\]]*(?=\]?$)/.exec(lower) ?? [];
    if (this.#given.has(lower) || this.#given.has(last)) return 'strong';
    return secrecyOfWords(wordsOf(name));
  }
}

function secrecyOfWords(all: readonly string[]): Secrecy | undefined {
  const last = all.at(-1);
  if (last === undefined || (all.length > 1 && DESCRIPTION.has(last))) return undefined;
  const isStrong = all.some((word, index) => {
    const one = singular(word);
    const pair = index > 0 ? `${all[index - 1]}${one}` : one;
    // `max_tokens` and `prompt_tokens` are counts.
    if (word === 'tokens' && index > 0 && COUNTED.has(all[index - 1] ?? '')) return false;
    return ANYWHERE.has(one) || ANYWHERE.has(pair) || JOINED.test(one);
  });
  if (isStrong) return 'strong';
  if (all.length === 1 && ALONE.has(last)) return 'weak';
  if (last === 'keys') return undefined;
  if (!LAST.has(last)) return undefined;
  return last === 'key' && PUBLIC_KEY.has(all.at(-2) ?? '') ? undefined : 'weak';
}

const COUNTED = words('max min total prompt completion input output remaining used reasoning cached num');

function singular(word: string): string {
  return word.length > 4 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** Splits a name into words in lower case: `user[newAPIKey2]` gives `user`, `new`, `api`, `key`. */
function wordsOf(name: string): string[] {
  const separated = name
    .replace(/2fa/gi, ' mfa ')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return separated.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
}

/** Decodes percent encoding, which may be applied twice, and the escapes of JSON. */
function decodeName(name: string): string {
  const plain = name.replace(/\\u([\da-f]{4})/gi, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return plain.includes('%') ? decodePercent(decodePercent(plain)) : plain;
}
