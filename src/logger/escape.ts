/** Escapes logged values, so that a client cannot end the quotes or the line of a log entry. L-2.4-26 */

// Characters that end a line, end a quoted value or control a terminal: C0, DEL, C1, U+2028, U+2029, `"` and `\`.
// Matching takes linear time: one class without repetition.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for them
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029"\\]/g;

const SHORT: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** Escapes the characters of `UNSAFE` as JSON does: `\n` or `\"` where JSON has a short form, otherwise `\uXXXX`. */
export function escapeField(value: string): string {
  return isSafe(value) ? value : value.replace(UNSAFE, escapeCharacter);
}

/** Whether no character needs an escape. A loop: for short values it is faster than the expression. */
function isSafe(value: string): boolean {
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code < 0x20 || code === QUOTE || code === BACKSLASH) return false;
    if (code >= 0x7f && (code <= 0x9f || code === 0x2028 || code === 0x2029)) return false;
  }
  return true;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Escapes characters that `JSON.stringify` does not escape but that can end a line or control a terminal. */
export function escapeJson(json: string): string {
  return json.replace(/[\u007f-\u009f\u2028\u2029]/g, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
