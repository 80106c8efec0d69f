/** Edits a text by positions, so that all text between the edits stays unchanged. */

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export class Edits {
  readonly #source: string;
  #edits: Edit[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  /** Replaces the text between two positions and drops earlier edits inside it. To keep them, pass a part of `text()`. */
  replace(start: number, end: number, text: string): void {
    this.#edits = this.#edits.filter((edit) => edit.start < start || edit.end > end);
    this.#edits.push({ start, end, text });
  }

  insert(at: number, text: string): void {
    this.#edits.push({ start: at, end: at, text });
  }

  /** Returns the text between two positions, including the edits so far. The default is the whole text. */
  text(start = 0, end = this.#source.length): string {
    const within = this.#edits
      .map((edit, index) => ({ ...edit, index }))
      .filter((edit) => edit.start >= start && edit.end <= end)
      .sort((a, b) => a.start - b.start || a.end - b.end || a.index - b.index);
    let [at, text] = [start, ''];
    for (const edit of within) {
      text += this.#source.slice(at, edit.start) + edit.text;
      at = edit.end;
    }
    return text + this.#source.slice(at, end);
  }
}
