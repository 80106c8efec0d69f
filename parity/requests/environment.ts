/** Reads the variables of environments: `http-client.env.json` of editors, and exported environments of Postman. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { parseJson, shown } from './json';
import { readText } from './read-text';

const SHARED = '$shared';
/** The file that is committed, and the one with secrets, whose values win. */
const FILES = ['http-client.env.json', 'http-client.private.env.json'];

export interface Environment {
  readonly values: ReadonlyMap<string, string>;
  /** How to define a variable that is not there, for messages. */
  readonly remedy: string;
}

/**
 * Reads the environment for a file of requests. The files of environments are beside it, or in a folder above.
 *
 * @param selected The name of an environment, or an exported environment of Postman. Default: the only environment.
 * @throws TypeError if there is no such environment, or if a file is malformed.
 */
export function readEnvironment(file: string, selected: string | undefined): Environment {
  if (selected?.endsWith('.json')) return { values: readPostman(selected), remedy: `add it to ${selected}` };
  const folder = folderWith(FILES, dirname(resolve(file)));
  const all = FILES.map((name) => readObject(folder && join(folder, name)));
  const names = [...new Set(all.flatMap(Object.keys))].filter((name) => !name.startsWith('$'));
  if (selected !== undefined && !names.includes(selected))
    throw new TypeError(
      folder === undefined
        ? `--env ${selected}: no ${FILES[0]} found beside ${basename(file)} or above`
        : `--env ${selected}: ${join(folder, FILES[0] ?? '')} has ${names.join(', ') || 'no environment'}`,
    );
  const [only] = names.length === 1 ? names : [];
  const chosen = [SHARED, selected ?? only].flatMap((name) =>
    name === undefined ? [] : all.map((one) => one[name] ?? {}),
  );
  const values = new Map(chosen.flatMap((one) => (typeof one === 'object' ? entriesOf(one as object) : [])));
  const options =
    selected === undefined && names.length > 1 ? `, or pass --env ${names.join(' or --env ')}` : '';
  return { values, remedy: `define it with "@name = value"${options}` };
}

/** Reads `.env` beside a file, for `{{$dotenv NAME}}`. */
export function readDotenv(file: string): Readonly<Record<string, string | undefined>> {
  const path = join(dirname(resolve(file)), '.env');
  return existsSync(path) ? parseEnv(readText(path)) : {};
}

function entriesOf(given: object): Array<[string, string]> {
  return Object.entries(given).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}

function folderWith(names: readonly string[], from: string): string | undefined {
  if (names.some((name) => existsSync(join(from, name)))) return from;
  return dirname(from) === from ? undefined : folderWith(names, dirname(from));
}

function readObject(file: string | undefined): Readonly<Record<string, unknown>> {
  if (file === undefined || !existsSync(file)) return {};
  const value = parseJson(readText(file), file);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new TypeError(`${file}: expected an object with a member for each environment, got ${shown(value)}`);
}

function readPostman(file: string): Map<string, string> {
  const { values } = readObject(resolve(file));
  if (!existsSync(file)) throw new TypeError(`no such file: ${file}`);
  if (!Array.isArray(values))
    throw new TypeError(
      `${file}: expected an environment of Postman, an object with a list values, got ${shown(values)}`,
    );
  return new Map(
    values
      .filter(({ enabled }) => enabled !== false)
      .map(({ key, value }): [string, string] => [String(key), String(value ?? '')]),
  );
}
