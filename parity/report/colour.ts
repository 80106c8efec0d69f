/** Colours the lines of a report, which `printable` has made safe for a terminal. */

const [RED, GREEN, YELLOW] = [31, 32, 33];

const STYLES: ReadonlyArray<readonly [lines: RegExp, colour: number]> = [
  [/^✗ .*$/gm, RED],
  [/^ {2}≈ .*$/gm, YELLOW],
  [/^ {6}− .*$/gm, RED],
  [/^ {6}\+ .*$/gm, GREEN],
  [/^\d+ passed, 0 failed$/gm, GREEN],
  [/^\d+ passed, [1-9]\d* failed$/gm, RED],
];

/** Colours a report if the stream is a terminal with colours. Node.js checks NO_COLOR, FORCE_COLOR and TERM. */
export function coloured(text: string, stream: NodeJS.WriteStream = process.stdout): string {
  if (!stream.isTTY || !stream.hasColors()) return text;
  return STYLES.reduce((all, [lines, colour]) => all.replace(lines, `\x1b[${colour}m$&\x1b[39m`), text);
}
