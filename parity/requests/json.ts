/** Reads JSON whose members are not known. */

/** A JSON object. */
export type Unknown = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Shows the beginning of a value for a message. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** @param name The file, for the message of an error. */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError(`${name}: expected JSON: ${(error as Error).message}`);
  }
}
