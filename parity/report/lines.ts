/** Shows how two long texts differ, line by line. JSON without line breaks gets them first. */
import { structuredPatch } from 'diff';

/** Lines shown at most; the other places are counted. */
const MAX_LINES_SHOWN = 24;
/** Characters; shorter texts are shown whole. */
const SHORT = 240;
/** Characters of a line shown at most. */
const WIDTH = 200;

/** Returns the lines that differ, each after `-` or `+`; undefined if the texts have one line each, or differ too much. */
export function differingLines(expected: string, actual: string): string[] | undefined {
  if (expected.length <= SHORT && actual.length <= SHORT) return undefined;
  const [left, right] = [broken(expected), broken(actual)];
  if (!left.includes('\n') || !right.includes('\n') || left === right) return undefined;
  const patch = structuredPatch('', '', left, right, undefined, undefined, {
    context: 1,
    maxEditLength: 2000,
    timeout: 2000,
  });
  if (!patch || patch.hunks.length === 0) return undefined;
  const lines: string[] = [];
  for (const [index, { oldStart, newStart, lines: changed }] of patch.hunks.entries()) {
    if (lines.length + changed.length > MAX_LINES_SHOWN && index > 0) {
      lines.push(`… and ${patch.hunks.length - index} more places`);
      break;
    }
    lines.push(oldStart === newStart ? `@@ line ${oldStart}` : `@@ lines ${oldStart} and ${newStart}`);
    lines.push(...changed.slice(0, MAX_LINES_SHOWN).map(shorten));
  }
  return lines;
}

/** Adds line breaks to JSON, unless this would hide a difference in its spelling. */
function broken(text: string): string {
  if (text.includes('\n') || !/^\s*[[{]/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(value, null, 1) : text;
  } catch {
    return text;
  }
}

function shorten(line: string): string {
  return line.length > WIDTH ? `${line.slice(0, WIDTH)} …` : line;
}
