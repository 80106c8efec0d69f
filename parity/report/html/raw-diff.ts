/** Shows two texts side by side, line by line, and marks the characters that differ. */
import { type Change, diffWordsWithSpace } from 'diff';
import escapeHtml from 'escape-html';
import { commonEnds } from '../causes';
import { visible } from '../printable';

/** Two lines side by side; `undefined` on the side without a line. */
type Row = readonly [left: string | undefined, right: string | undefined];

/** Texts with more lines than this are aligned by line number, because the exact alignment is slow. */
const MAX_LINES_ALIGNED = 400;
/** Characters; longer differences are marked as one. */
const LONG = 2000;

/** Formats two texts as a table of two columns, each with a name as its heading. */
export function rawDiff(left: string, right: string, [first, second]: readonly [string, string]): string {
  const rows = align(left.split('\n'), right.split('\n')).map(formatRow);
  const head = [first, second].map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('');
  return `<table class="diff"><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** Escapes a text for HTML. Control characters other than a line feed are shown as symbols, such as ␛. */
export function rawText(text: string): string {
  return escapeHtml(visible(text));
}

function formatRow([left, right]: Row): string {
  if (left === right) return `<tr class="same">${`<td>${rawText(left ?? '')}</td>`.repeat(2)}</tr>`;
  const words = left === undefined || right === undefined ? [] : wordsOf(left, right);
  const cell = (text: string | undefined, kind: 'was' | 'is'): string => {
    if (text === undefined) return '<td class="none"></td>';
    if (words.length === 0) return `<td class="${kind}"><mark>${rawText(text)}</mark></td>`;
    const parts = words.flatMap(({ value, added, removed }) => {
      if (kind === 'was' ? added : removed) return [];
      return added || removed ? `<mark>${rawText(value)}</mark>` : rawText(value);
    });
    return `<td class="${kind}">${parts.join('')}</td>`;
  };
  return `<tr>${cell(left, 'was')}${cell(right, 'is')}</tr>`;
}

/** Divides two lines into equal, removed and added words. Of long lines, only the part between the common ends. */
function wordsOf(left: string, right: string): Array<Pick<Change, 'value' | 'added' | 'removed'>> {
  const [start, end] = commonEnds(left, right);
  const [a, b] = [left.slice(start, left.length - end), right.slice(start, right.length - end)];
  // Whole words at the ends of long lines cost more than they tell.
  if (a.length + b.length > LONG)
    return [
      { value: left.slice(0, start), added: false, removed: false },
      { value: a, added: false, removed: true },
      { value: b, added: true, removed: false },
      { value: left.slice(left.length - end), added: false, removed: false },
    ];
  return diffWordsWithSpace(left, right);
}

/** Pairs the lines of two texts, in order: preferably equal lines, then headers with the same name, then others. */
function align(left: readonly string[], right: readonly string[]): Row[] {
  if (left.length > MAX_LINES_ALIGNED || right.length > MAX_LINES_ALIGNED) {
    return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [
      left[index],
      right[index],
    ]);
  }
  const score = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  const at = (i: number, j: number): number => score[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const paired = likeness(left[i] ?? '', right[j] ?? '') + at(i + 1, j + 1);
      (score[i] as number[])[j] = Math.max(paired, at(i + 1, j), at(i, j + 1));
    }
  }
  const rows: Row[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const pair = likeness(left[i] ?? '', right[j] ?? '');
    if (i < left.length && j < right.length && pair > 0 && at(i, j) === pair + at(i + 1, j + 1)) {
      rows.push([left[i++], right[j++]]);
    } else if (j >= right.length || (i < left.length && at(i + 1, j) >= at(i, j + 1))) {
      rows.push([left[i++], undefined]);
    } else {
      rows.push([undefined, right[j++]]);
    }
  }
  return rows;
}

function likeness(left: string, right: string): number {
  if (left === right) return 4;
  const [one, other] = [left, right].map((line) => /^([\w-]+)[: ]/.exec(line)?.[1]);
  return one !== undefined && one === other ? 3 : 1;
}
