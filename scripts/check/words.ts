// Checks that comments, messages, test titles and pages use the words of Express and Node.js, that test titles do not
// start with clause ids, and the form of commit subjects.
//
//   npm run check -- words   prints every text that breaks a rule, with a better word
//
// Exit code 1 if a text breaks a rule.
import { join } from 'node:path';
import { runCommand } from '../command';
import { type Kind, subjectsOf, type Text, textsOf } from './texts';

interface Rule {
  readonly pattern: RegExp;
  readonly remedy: string;
  /** The kinds of text that the rule applies to; default all. */
  readonly kinds?: readonly Kind[];
  /** Matches the paths that the rule applies to; default all. */
  readonly files?: RegExp;
}

/** Except in titles, rules skip text in quotes, backticks and `${}`, such as code and messages of Express. */
const QUOTED = /`[^`]*`|"[^"]*"|\$\{[^}]*\}|\bhello,? world\b/gi;

const RULES: readonly Rule[] = [
  { pattern: /\bthe runtimes?\b/i, remedy: 'name it: Node.js, Bun, Deno' },
  {
    pattern: /\bwhoever\b|\bsomebody\b|\bnobody\b/i,
    remedy: 'name the actor: the application, the client, Node.js',
    files: /^(?!examples\/demo\/)/,
  },
  {
    pattern: /\b(is|are|was|were|be|been|being) (told|asked|handed|minded|born|lent)\b/i,
    remedy: 'passed, called with, requested, reported, checked',
  },
  { pattern: /\bhand(s|ed|ing)? (it |them )?(on|over|out|to|in)\b/i, remedy: 'passes' },
  { pattern: /\bminds\b/i, remedy: 'checks, reports' },
  { pattern: /\bby chance\b/i, remedy: 'flaky, random' },
  { pattern: /\buntouched\b/i, remedy: 'unchanged, not overridden' },
  { pattern: /\bworlds?\b/i, remedy: 'implementation; baseline and candidate' },
  {
    pattern: /\b(seams?|doors?|house|fates?)\b/i,
    remedy: 'adapter, entry point, package, outcome',
    files: /^(?!examples\/)/,
  },
  { pattern: /\ba law\b|\blaws\b/i, remedy: 'property', files: /^(?!examples\/)/ },
  { pattern: /\b(so named|named so)\b/i, remedy: 'with that name' },
  { pattern: /\bwhat it (brings|costs)\b/i, remedy: 'dependencies, overhead' },
  { pattern: /\btimes of day\b/i, remedy: 'at registration and per request' },
  {
    pattern: /\bthe reference\b/i,
    remedy: 'Express, morgan',
    kinds: ['comment', 'message'],
    files: /^src\//,
  },
  { pattern: /\bprograms?('s)?\b/i, remedy: 'application', files: /^src\// },
  {
    pattern: /\b(an|the|every|each|no|this|its|one) answers?\b/i,
    remedy: 'response',
    files: /^(?!examples\/)/,
  },
  { pattern: /\bheader fields?\b|\bthe fields? `/i, remedy: 'header' },
  {
    pattern: /^[FL]-\d[\d.]*-\d/,
    remedy: 'a sentence: `proves` or `clauses` names the clause',
    kinds: ['title'],
  },
  { pattern: /^.{73,}/, remedy: 'at most 72 columns', kinds: ['subject'] },
  {
    pattern: /^(?!(feat|fix|perf|refactor|style|test|docs|build|ci|chore|revert)(\([\w-]+\))?!?: [a-z])./,
    remedy: 'type(folder): imperative',
    kinds: ['subject'],
  },
];

/** The form of older subjects is not checked. */
const FIRST_DAY = '2026-11-25T00:00Z';
/** Too long, and noticed after it was published. */
const PUBLISHED = ['fix(docs): keep words of table headings whole, and buttons out of excerpts'];

const root = join(__dirname, '..', '..');

runCommand({
  run: () => check([...textsOf(root), ...subjectsOf(root, FIRST_DAY)]),
});

function check(texts: readonly Text[]): boolean {
  let faults = 0;
  for (const { kind, place, text } of texts) {
    const prose = text.replace(QUOTED, '`…`');
    for (const { pattern, remedy, kinds = [kind], files = /^/ } of RULES) {
      const found =
        kinds.includes(kind) &&
        !(kind === 'subject' && PUBLISHED.includes(text)) &&
        files.test(place) &&
        pattern.exec(kind === 'title' || kind === 'subject' ? text : prose);
      if (!found) continue;
      faults++;
      console.error(`${place}: ${kind} says "${found[0]}"; write ${remedy}: ${excerpt(text)}`);
    }
  }
  console.log(`${texts.length} texts, ${faults} to rewrite`);
  return faults === 0;
}

function excerpt(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
