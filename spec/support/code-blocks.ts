/** Finds the fenced code blocks of the documents. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CodeBlock {
  /** The path from the root of the repository. */
  readonly file: string;
  /** The number of the first line of the code, from 1. */
  readonly line: number;
  /** The language after the fence, such as `js` or `sh`; empty if there is none. */
  readonly language: string;
  readonly code: string;
}

export const ROOT = join(__dirname, '..', '..');

/** @returns The paths of all pages of the guide; `reference.spec.ts` runs the examples of docs/api, `recipes.spec.ts` those of docs/recipes. */
export function guidePages(): string[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !/^(?:api|recipes)[\\/]/.test(file))
    .map((file) => `docs/${file.replaceAll('\\', '/')}`);
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'parity/README.md', ...docs.sort()];
}

/** Whether comments of the block say what it does: requests with their responses, or values. `reference.spec.ts` runs it. */
export function hasExpectations({ code }: CodeBlock): boolean {
  return /^\/\/ [A-Z]+ \/.* → \d{3}|; \/\/ → /m.test(code);
}

export function codeBlocks(file: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const lines = readFileSync(join(ROOT, file), 'utf8').split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const language = /^```(\w*)$/.exec(lines[at] ?? '')?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf('```', at + 1);
    if (end < 0) throw new Error(`${file}:${at + 1}: a code block without an end`);
    blocks.push({ file, line: at + 2, language, code: lines.slice(at + 1, end).join('\n') });
    at = end;
  }
  return blocks;
}
