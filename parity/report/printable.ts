/** Makes texts from responses safe to print: terminals and GitHub Actions interpret some characters and lines. */

/** Matches control and format characters, lone surrogates, unassigned characters and line separators; not a line feed. */
const UNPRINTABLE = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu;
/** Matches the start of a workflow command, such as `::error::` or `##[add-mask]`. GitHub Actions ignores spaces before it. */
const COMMAND = /^([^\S\n]*)(?=::[^\n]*::)|#(?=#\[)/gm;

/**
 * Shows characters that cannot be printed: ESC as ␛, others by their number, such as `[U+202E]`. A line that GitHub
 * Actions would execute gets a backslash.
 */
export function printable(text: string): string {
  return visible(text).replace(COMMAND, (start) => `${start}\\`);
}

/** Like `printable`, for formats in which no line is executed. */
export function visible(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '␡' : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}

/** Escapes the characters in JSON, which keeps its value. */
export function printableJson(json: string): string {
  return json
    .replace(UNPRINTABLE, (character) =>
      Array.from(
        { length: character.length },
        (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
      ).join(''),
    )
    .replaceAll('##[', '\\u0023#[');
}
