/** Prints what an application does wrong while it runs. Standard output is that of the application. */
import type { Finding, Site } from '../inspect/model';
import { formatFinding } from '../report/findings';

/** A mistake that a request shows. */
export interface Note extends Pick<Finding, 'code' | 'message' | 'site'> {
  readonly severity?: Finding['severity'];
}

export class Notes {
  readonly #seen = new Set<string>();

  /** Remembers what was printed in another way. */
  skip(findings: readonly Finding[]): void {
    for (const { code, site } of findings) this.#isNew(code, site);
  }

  /** Prints a mistake, unless it was printed for the same place. */
  print({ severity = 'warning', ...note }: Note): void {
    if (this.#isNew(note.code, note.site)) process.stderr.write(`\n${formatFinding({ severity, ...note })}`);
  }

  /** Prints lines, unless lines were printed for the same place. */
  printLines(kind: string, site: Site | undefined, lines: readonly string[]): void {
    if (this.#isNew(kind, site)) process.stderr.write(`\n${lines.join('\n')}\n`);
  }

  #isNew(kind: string, site: Site | undefined): boolean {
    const key = [kind, site?.file, site?.line].join('\n');
    const isNew = !this.#seen.has(key);
    this.#seen.add(key);
    return isNew;
  }
}
