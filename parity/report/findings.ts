/** Formats the findings of `nozomi-parity doctor` as text, JSON or GitHub annotations. */

import { CODES, RUNNING_CODES } from '../inspect/findings/codes';
import { nameOfFile, shown, siteOf } from '../inspect/format';
import type { Finding, Inspection } from '../inspect/model';
import { escapeData, escapeProperty } from './github';

export const REPORTERS = {
  terminal: formatFindings,
  json: findingsToJson,
  github: findingsToGithub,
} as const satisfies Record<string, (inspection: Inspection, file: string) => string>;

const CODE_LIST: ReadonlyArray<{ readonly code: string; readonly why: string }> = [
  ...Object.values(CODES),
  ...Object.values(RUNNING_CODES),
];

function formatFindings({ findings, series, ownConnection }: Inspection, file: string): string {
  const connection = ownConnection
    ? [`own connection: ${ownConnection.isOn ? 'on' : 'off'}, ${ownConnection.why}`]
    : [];
  return [
    `${nameOfFile(file)}  (Express ${series[0]})`,
    ...connection,
    '',
    ...findings.map(formatFinding),
    `${summarise(findings)}`,
    '',
  ].join('\n');
}

/** @returns Some lines, with a line break at the end. */
export function formatFinding({ code, severity, message, site, fix }: Finding): string {
  return [
    `${severity}  ${code}  ${shown(site)}${site?.from ? ` (from ${shown(site.from)})` : ''}`.trimEnd(),
    `  ${message}`,
    `  why: ${whyOf(code)}`,
    ...(fix ? [`  fix: ${fix}`] : []),
    '',
  ].join('\n');
}

function findingsToJson({ findings, series, ownConnection }: Inspection, file: string): string {
  const data = {
    application: nameOfFile(file),
    series: series[0],
    ...countsOf(findings),
    ownConnection,
    findings: findings.map(({ site, ...finding }) => ({
      ...finding,
      why: whyOf(finding.code),
      ...siteOf(site),
    })),
  };
  return `${JSON.stringify(data, null, 2)}\n`;
}

/**
 * Formats findings as workflow commands, which GitHub shows as annotations.
 *
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
function findingsToGithub({ findings }: Inspection): string {
  const lines = findings.map(({ code, severity, message, site, fix }) => {
    // GitHub annotates only files of the repository, so prefer the line of the application to the line of a library.
    const { file, line } = site?.from ?? site ?? {};
    const place = file === undefined ? '' : `file=${escapeProperty(nameOfFile(file))},line=${line},`;
    const kind = severity === 'warning' ? 'warning' : 'notice';
    return `::${kind} ${place}title=${code}::${escapeData(message + (fix ? `\nfix: ${fix}` : ''))}`;
  });
  return [...lines, summarise(findings), ''].join('\n');
}

function summarise(findings: readonly Finding[]): string {
  const { warnings, notes } = countsOf(findings);
  return `${count(warnings, 'warning')}, ${count(notes, 'note')}`;
}

function countsOf(findings: readonly Finding[]): { warnings: number; notes: number } {
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;
  return { warnings, notes: findings.length - warnings };
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function whyOf(code: string): string {
  return CODE_LIST.find((one) => one.code === code)?.why ?? '';
}
