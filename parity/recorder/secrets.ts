/**
 * Keeps what a recording masks in its requests, so that a replay can log in. The file lies in a folder `.nozomi` beside
 * the recording, which Git ignores, and only the user of this process can read it.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The masked values, by their replacement: `masked-1a2b`. */
export type Secrets = ReadonlyMap<string, string>;

/** In CI, where the file does not exist, this variable has its content. */
const SECRETS_VARIABLE = 'NOZOMI_SECRETS';

/** A replacement, as the scrubber writes it. */
const MASKED = /\bmasked-[\da-f]{4}\b(?:@masked\.test)?/g;

export function maskedIn(text: string): string[] {
  return text.match(MASKED) ?? [];
}

/** Replaces each replacement in a text for which `find` returns a value. */
export function unmask(text: string, find: (replacement: string) => string | undefined): string {
  return text.replace(MASKED, (replacement) => find(replacement) ?? replacement);
}

/** Returns `.nozomi/traffic.har.secrets.json` for `traffic.har`. */
export function secretsFileOf(recording: string): string {
  return join(dirname(recording), '.nozomi', `${basename(recording)}.secrets.json`);
}

/** Replaces the file of a recording. Another user may have opened the old file, or put a link in its place. */
export function writeSecrets(recording: string, secrets: Secrets): void {
  const file = secretsFileOf(recording);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(join(dirname(file), '.gitignore'), '*\n');
  rmSync(file, { force: true });
  const text = `${JSON.stringify(Object.fromEntries(secrets), null, 2)}\n`;
  writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
}

/**
 * Reads the secrets of a recording from NOZOMI_SECRETS, or from the file beside it. Empty if there is neither.
 *
 * @throws TypeError if they are not a JSON object of strings.
 */
export function readSecrets(recording: string): Secrets {
  const file = secretsFileOf(recording);
  const given = process.env[SECRETS_VARIABLE];
  const text = given ?? (existsSync(file) ? readFileSync(file, 'utf8') : '{}');
  const entries = entriesOf(text);
  if (entries?.every(([, value]) => typeof value === 'string')) return new Map(entries as [string, string][]);
  throw new TypeError(
    `${given === undefined ? file : SECRETS_VARIABLE}: expected a JSON object of strings, as nozomi-parity record --keep-secrets writes it`,
  );
}

function entriesOf(text: string): Array<[string, unknown]> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value)
      : undefined;
  } catch {
    return undefined;
  }
}
