/** Generates pages of the documentation site: clauses with their evidence, and the recorded scenarios. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSection, recordedSections } from '../../parity/corpus/corpus';
import type { Har, HarEntry } from '../../parity/corpus/har';
import { DIVERGENCES } from '../../parity/divergences';
import clauses from '../../spec/clauses.json';
import express4 from '../../spec/express4.json';
import unshown from '../../spec/unshown.json';
import type { SpecProof } from '../check/spec-proofs';
import { headingId } from '../links';
import { SECTIONS, sectionOf } from '../specification';

export interface Page {
  /** The path from the root of the input of TypeDoc: `evidence/F-4.5.md`. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

type Clause = (typeof clauses)[number] & { readonly follow?: string };

interface Recorded {
  /** The file below `spec`, without its ending: `4-endpoints/4.5-send`. */
  readonly section: string;
  readonly name: string;
  readonly clauses: readonly string[];
  readonly entries: readonly HarEntry[];
}

/** Pages show at most this many characters of a request, and of the body of a response. */
const SHOWN = 1500;

const root = join(__dirname, '..', '..');
const reasons = new Map(unshown.map(({ id, why }) => [id, why]));

/** @returns One page for each section of the specification that has clauses. */
export function evidencePages(proofs: readonly SpecProof[]): Page[] {
  const specs = specsByClause(proofs);
  const scenarios = recordedScenarios();
  return [...SECTIONS.keys()].flatMap((section): Page[] => {
    const list = clauses.filter(({ id }) => sectionOf(id) === section);
    if (list.length === 0) return [];
    const blocks = list.map((clause) => {
      const shown = scenarios.filter(({ clauses: ids }) => ids.includes(clause.id));
      return clauseBlock(clause, specs.get(clause.id) ?? [], shown);
    });
    const differing = list.filter(({ reference }) => reference === 'differs').length;
    const intro =
      `${list.length} ${list.length === 1 ? 'clause' : 'clauses'} of [${section}](../${SECTIONS.get(section)}). ` +
      (differing === 0
        ? 'Express conforms to each clause that can be tested.'
        : `Express does not conform to ${differing} of them.`);
    const title = `${section} ${headingOf(section)}`;
    return [
      { path: `evidence/${section}.md`, title, text: `# ${title}\n\n${intro}\n\n${blocks.join('\n')}` },
    ];
  });
}

/** @returns One page for each recorded section, with its scenarios, their exchanges and their source. */
export function recordingPages(): Page[] {
  const all = recordedScenarios();
  return recordedSections().map((section) => {
    const scenarios = all.filter((scenario) => scenario.section === section);
    const blocks = scenarios.map(({ name, clauses: ids, entries }) => {
      const links = ids.map((id) => `[${id}](../${pageOf(id)}#${anchorOf(id)})`).join(' ');
      const none =
        'This scenario has no exchange: it tests an error that is thrown, or output of the process.\n';
      return `<a id="${slugOf(name)}"></a>\n\n## ${asMarkdown(name)}\n\n${links}\n\n${entries.map(exchangeBlock).join('\n') || none}`;
    });
    const source = `spec/${section}.scenarios.ts`;
    // Not coloured: this would take most of the time of the site.
    const code = fence(readFileSync(join(root, source), 'utf8'));
    const text =
      `# ${section}\n\nRecorded in \`fixtures/exchanges/${section}.har\` from [the applications at the end](#the-applications).\n\n` +
      `${blocks.join('\n')}\n## The applications\n\n\`${source}\`\n\n${code}`;
    return { path: recordingOf(section), title: section, text };
  });
}

/** @returns One page for each area of the clauses that say how Express 4 differs from Express 5. */
export function express4Pages(proofs: readonly SpecProof[]): Page[] {
  const specs = specsByClause(proofs);
  const scenarios = recordedScenarios();
  return express4.areas.map(({ letter, title }) => {
    const blocks = express4.clauses
      .filter(({ area }) => area === letter)
      .map(({ id, text, source, program, express4: four, express5: five }) => {
        const shown = scenarios.filter(({ clauses: ids }) => ids.includes(id));
        return (
          `## ${id}\n\n${text}\n\n${fence(program, 'js')}\n` +
          `Express ${express4.reference.express} and \`nozomi/4\`:\n\n${fence(four)}\n` +
          `Express ${express4.reference.beside}:\n\n${fence(five)}\n- **Source in Express 4:** \`${source}\`\n` +
          `${proofLines(id, specs.get(id) ?? [], shown).join('\n')}\n\n${bestExchange(shown)}`
        );
      });
    const heading = `Express 4, ${letter}: ${title}`;
    return {
      path: `evidence/express4-${letter}.md`,
      title: heading,
      text: `# ${heading}\n\n${blocks.join('\n')}`,
    };
  });
}

function clauseBlock(clause: Clause, specs: readonly string[], shown: readonly Recorded[]): string {
  const { id, clause: text } = clause;
  const lines = [
    `- **Express:** ${asMarkdown(expressOf(clause))}`,
    `- **Nozomi:** ${asMarkdown(nozomiOf(clause))}`,
    ...proofLines(id, specs, shown),
  ];
  return `## ${id}\n\n${asMarkdown(text)}\n\n${lines.join('\n')}\n\n${bestExchange(shown)}`;
}

function proofLines(id: string, specs: readonly string[], shown: readonly Recorded[]): string[] {
  const files = specs.map((file) => `\`spec/${file}\``).join(', ');
  const links = shown.map(
    ({ section, name }) => `[${asMarkdown(name)}](../${recordingOf(section)}#${slugOf(name)})`,
  );
  const reason = reasons.get(id) ?? 'No request can test this clause.';
  return [
    ...(files ? [`- **Specs:** ${files}`] : []),
    `- **Scenarios:** ${links.join('; ') || `none. ${asMarkdown(reason)}`}`,
  ];
}

function expressOf({ reference, note }: Clause): string {
  if (reference === 'same') return `conforms${note && `. ${note}`}`;
  if (reference === 'differs') return `does not conform. ${note}`;
  return `cannot be tested${note && `: ${note}`}`;
}

function nozomiOf({ id, reference }: Clause): string {
  const declared = DIVERGENCES.filter(({ clauses: ids }) => ids.includes(id));
  if (declared.length > 0) return declared.map(({ differs, why }) => `${differs}. ${why}`).join(' ');
  if (reference === 'untestable') return 'cannot be tested';
  return reference === 'same' ? 'conforms' : 'behaves like Express';
}

/** Formats the first exchange of the scenario with the fewest clauses, which shows the clause best. */
function bestExchange(shown: readonly Recorded[]): string {
  const withEntries = shown.filter(({ entries }) => entries.length > 0);
  const [best] = [...withEntries].sort((a, b) => a.clauses.length - b.clauses.length);
  return best?.entries[0] ? exchangeBlock(best.entries[0]) : '';
}

function exchangeBlock(entry: HarEntry): string {
  const { request, response } = entry;
  const sent =
    entry._sentEncoding === 'base64' ? Buffer.from(entry._sent, 'base64').toString('latin1') : entry._sent;
  const head = [
    `${response.httpVersion} ${response.status} ${response.statusText}`,
    ...response.headers.map(({ name, value }) => `${name}: ${value}`),
  ].join('\n');
  const { text = '', encoding } = response.content as { text?: string; encoding?: string };
  const body = encoding === 'base64' ? `(${response.content.size} bytes that are not text)` : text;
  const received =
    response.status > 0 ? `${head}\n\n${cut(body)}` : `(no response: the connection was ${entry._fate})`;
  const path = request.url.replace('http://parity.test', '');
  const summary = `${request.method} ${path} → ${response.status || 'no response'}`;
  return (
    `<details><summary>${asMarkdown(cut(summary, 100))}</summary>\n\n` +
    `${fence(visible(cut(sent)))}\n${fence(visible(received))}\n</details>\n`
  );
}

let memory: Recorded[] | undefined;

function recordedScenarios(): readonly Recorded[] {
  memory ??= recordedSections().flatMap((section) => {
    const { log } = JSON.parse(readSection(section) ?? '') as Har;
    return log._scenarios.map(({ name, clauses: ids }) => ({
      section,
      name,
      clauses: ids,
      entries: log.entries.filter(({ _scenario }) => _scenario === name),
    }));
  });
  return memory;
}

function specsByClause(proofs: readonly SpecProof[]): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const { spec, clauses: ids } of proofs) {
    for (const id of ids) {
      const list = files.get(id) ?? [];
      if (!list.includes(spec)) files.set(id, [...list, spec]);
    }
  }
  return files;
}

/** Reads the heading of a section from the specification, without its number. */
function headingOf(section: string): string {
  const [file = '', anchor] = (SECTIONS.get(section) ?? '').split('#');
  const text = readFileSync(join(root, file), 'utf8');
  const after = text.slice(text.indexOf(`<a id="${anchor}"></a>`));
  return (/^#+ (?:[\d.]+ )?(.*)$/m.exec(after)?.[1] ?? '').replaceAll('`', '');
}

function recordingOf(section: string): string {
  return `recordings/${section.replaceAll('/', '--')}.md`;
}

/** @returns The path of the page of a clause. `E4-B3` is on a page about Express 4. */
export function pageOf(id: string): string {
  const area = /^E4-([A-J])/.exec(id)?.[1];
  return area ? `evidence/express4-${area}.md` : `evidence/${sectionOf(id)}.md`;
}

/** @returns The anchor that TypeDoc gives the heading of a clause. */
export function anchorOf(id: string): string {
  return id.toLowerCase().replaceAll('.', '');
}

function slugOf(name: string): string {
  return `scenario-${headingId(name)}`;
}

/** Escapes text for Markdown, except code in backticks. */
export function asMarkdown(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replace(/[\\*_[\]#|~{}@]/g, '\\$&')
            .replace(/&/g, '&amp;')
            .replace(/</g, '&lt;'),
    )
    .join('');
}

function fence(text: string, language = 'text'): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${text.replace(/\n$/, '')}\n${ticks}\n`;
}

function cut(text: string, most = SHOWN): string {
  return text.length > most ? `${text.slice(0, most)}… (${text.length - most} more characters)` : text;
}

/** Replaces control characters with `\xNN`, except line ends and tabs. */
function visible(text: string): string {
  const lines = text.replaceAll('\r\n', '\n');
  return lines.replace(/[^\P{Cc}\n\t]/gu, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}
