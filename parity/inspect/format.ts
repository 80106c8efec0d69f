/** Formats the tree of an application as text or JSON, for `nozomi-parity routes`. */
import { relative, sep } from 'node:path';
import type { HandlerNode, Inspection, Match, Site, Step, TreeNode } from './model';

/**
 * Formats the layers as text, in the order in which a request passes them. With `--match`, the text marks the layers
 * that are called and states why the others are not.
 *
 * @param file The file that starts the application.
 */
export function formatTree({ roots, series, match }: Inspection, file: string): string {
  const parts = roots.map((root, index) => {
    const rows = rowsOf(root, index === 0 ? match : undefined);
    const title =
      index === 0
        ? nameOfFile(file)
        : `${root.kind === 'router' ? 'a router' : 'another application'}, which is not mounted`;
    return [`${title}  (Express ${series[index]})`, ...align(rows), ''].join('\n');
  });
  return [...parts, ...(match ? [`${match.method} ${match.target}: ${match.end}`, ''] : [])].join('\n');
}

export function treeToJson({ roots, series, match }: Inspection, file: string): string {
  const data = {
    application: nameOfFile(file),
    roots: roots.map((root, index) => ({ series: series[index], ...withNames(root) })),
    ...(match && { match }),
  };
  return `${JSON.stringify(data, null, 2)}\n`;
}

/** Formats a site as `src/app.js:12`, relative to the working directory; an unknown site as `''`. */
export function shown(site: Site | undefined): string {
  return site ? `${nameOfFile(site.file)}:${site.line}` : '';
}

export function nameOfFile(file: string): string {
  const name = relative(process.cwd(), file).split(sep).join('/');
  return name === '' || name.startsWith('../../../') ? file : name;
}

type Row = readonly [what: string, handlers: string, place: string, note: string];

function rowsOf(root: TreeNode, match: Match | undefined): Row[] {
  const steps = new Map(match?.steps.map((step) => [step.id, step]));
  const rows: Row[] = [];
  const add = (node: TreeNode, indent: string): void => {
    const step = steps.get(node.id);
    const mark = match ? (step?.isCalled ? '✓ ' : '· ') : '';
    const isSplit = match !== undefined && node.handlers.length > 1 && step?.isCalled === true;
    const handlers = isSplit ? '' : handlersOf(node);
    const own =
      isSplit || node.handlers.length !== 1 ? step : (steps.get(node.handlers[0]?.id ?? -1) ?? step);
    rows.push([`${mark}${indent}${labelOf(node)}`, handlers, shown(node.site), noteOf(own ?? step)]);
    if (isSplit) {
      for (const handler of node.handlers) rows.push(rowOfHandler(handler, steps.get(handler.id), indent));
    }
    if (match && !step?.isCalled) return;
    for (const child of node.children) add(child, `${indent}  `);
  };
  for (const child of root.children) add(child, '');
  return rows;
}

function rowOfHandler(handler: HandlerNode, step: Step | undefined, indent: string): Row {
  const mark = step?.isCalled ? '✓ ' : '· ';
  return [
    `${mark}${indent}    ${handler.method ?? '*'}`,
    shownAs(handler),
    shown(handler.site),
    noteOf(step),
  ];
}

function noteOf(step: Step | undefined): string {
  if (!step) return '';
  const { isCalled, why, params = {} } = step;
  const pairs = Object.entries(params).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [...(isCalled ? pairs : []), ...(why === undefined ? [] : [why])].join('  ');
}

function labelOf({ kind, methods, fullPaths, params }: TreeNode): string {
  const path = fullPaths.join(', ');
  const numbered = params.filter((name) => /^\d+$/.test(name));
  const groups = numbered.length > 0 ? ` (params ${numbered.join(', ')})` : '';
  if (kind === 'route') return `${methods.join(',').replace('*', 'ALL')} ${path}${groups}`;
  const name = kind === 'middleware' ? 'use' : kind === 'error handler' ? 'use (errors)' : kind;
  return `${name} ${path}${groups}`;
}

/** A handler as written in the call that registered it, or the name of its function. */
function shownAs({ name, expression }: Pick<HandlerNode, 'name' | 'expression'>): string {
  return expression ?? name;
}

function handlersOf({ kind, name, expression, handlers, paramCallbacks }: TreeNode): string {
  if (kind === 'route') return handlers.map(shownAs).join(', ');
  if (paramCallbacks.length > 0) return `param callbacks: ${paramCallbacks.join(', ')}`;
  return kind === 'application' || kind === 'router' ? '' : shownAs({ name, expression });
}

/** Pads each column to the width of its widest cell, at most 60 characters. */
function align(rows: readonly Row[]): string[] {
  const widths = [0, 1, 2].map((column) =>
    Math.min(60, Math.max(0, ...rows.map((row) => row[column]?.length ?? 0))),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Copies a node with file names relative to the working directory. */
function withNames(node: TreeNode): object {
  const { site, handlers, children, id, kind, ...rest } = node;
  return {
    id,
    kind,
    ...rest,
    site: siteOf(site),
    handlers: handlers.map((handler) => ({ ...handler, site: siteOf(handler.site) })),
    children: children.map(withNames),
  };
}

export function siteOf(site: Site | undefined): Site | undefined {
  if (!site) return undefined;
  const { file, line, from } = site;
  return { file: nameOfFile(file), line, ...(from && { from: siteOf(from) as Site }) };
}
