/** Tries the changes of findings on a copy of the application. Only a change that removes its finding is offered. */
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { hasAtMost, inCopy, packageFolderOf } from '../copy-folder';
import { inspectApplication } from './inspect';
import type { Change, Finding, Inspection, Order, TreeNode } from './model';
import { walkTree } from './tree';

/** A folder with more files is not copied. */
const MAX_FILES = 2000;
/** After this many single changes, the others are not tried, because each starts the application. */
const MAX_SINGLE = 10;

/**
 * Applies the changes to a copy of the application's folder, and inspects it: first all changes together, then, if a
 * finding stays, each alone. The application itself does not change.
 *
 * @returns The findings; `fix` is what their change does, if it was tried and removed the finding.
 */
export async function tryChanges({ findings, roots }: Inspection, order: Order): Promise<Finding[]> {
  const folder = realpathSync(packageFolderOf(resolve(order.file)));
  const tried = findings.filter(({ change }) => change && isInside(folder, change));
  const works = new Set<Finding>();
  if (tried.length > 0 && hasAtMost(MAX_FILES, folder)) {
    await inCopy(folder, 'doctor', async (copy) => {
      const attempt = async (some: readonly Finding[]): Promise<boolean> => {
        const after = await inspectChanged(some, { folder, copy, order });
        const isGone = after !== undefined && removes(some, { findings, roots }, after);
        if (isGone) for (const one of some) works.add(one);
        return isGone;
      };
      const together = tried.length > 1 && !overlap(tried) && (await attempt(tried));
      if (!together) for (const one of tried.slice(0, MAX_SINGLE)) await attempt([one]);
    });
  }
  return findings.map((one) => {
    const { change, ...finding } = one;
    return { ...finding, ...(change && works.has(one) && { fix: change.fix }) };
  });
}

interface Place {
  readonly folder: string;
  readonly copy: string;
  readonly order: Order;
}

/** Inspects the copy with the changes of some findings; undefined if it does not start. */
async function inspectChanged(
  findings: readonly Finding[],
  { folder, copy, order }: Place,
): Promise<Inspection | undefined> {
  const edits = findings.flatMap(({ change }) => change?.edits ?? []);
  const copied = (path: string): string => join(copy, relative(folder, realpathSync(path)));
  const files = new Map(
    [...new Set(edits.map(({ file }) => file))].map((file) => [file, readFileSync(file, 'utf8')]),
  );
  try {
    for (const [file, text] of files) {
      // From the last to the first, so that the positions stay right. Of two at one position, the first comes first.
      const own = edits.filter((one) => one.file === file).reverse();
      own.sort((a, b) => b.start - a.start);
      const changed = own.reduce(
        (so, { start, end, text: with_ }) => so.slice(0, start) + with_ + so.slice(end),
        text,
      );
      writeFileSync(copied(file), changed);
    }
    const cwd = realpathSync(process.cwd());
    const isBelow = cwd === folder || cwd.startsWith(folder + sep);
    return await inspectApplication(
      { ...order, file: copied(resolve(order.file)) },
      isBelow ? copied(cwd) : cwd,
    );
  } catch {
    return undefined;
  } finally {
    for (const [file, text] of files) writeFileSync(copied(file), text);
  }
}

/** Whether the changed application has no longer these findings, no new ones, and still as many routes. */
function removes(
  findings: readonly Finding[],
  before: Pick<Inspection, 'findings' | 'roots'>,
  after: Inspection,
): boolean {
  const codes = new Set([...before.findings, ...after.findings].map(({ code }) => code));
  const count = (some: readonly Finding[], code: string): number =>
    some.filter((one) => one.code === code).length;
  return (
    [...codes].every(
      (code) => count(after.findings, code) <= count(before.findings, code) - count(findings, code),
    ) && routesIn(after.roots) >= routesIn(before.roots)
  );
}

function routesIn(roots: readonly TreeNode[]): number {
  return roots.flatMap((root) => [...walkTree(root)]).filter(({ kind }) => kind === 'route').length;
}

function isInside(folder: string, { edits }: Change): boolean {
  return edits.every(({ file }) => {
    const path = realpathSync(file);
    return path.startsWith(folder + sep) && !path.slice(folder.length).includes(`${sep}node_modules${sep}`);
  });
}

function overlap(findings: readonly Finding[]): boolean {
  const edits = findings.flatMap(({ change }) => change?.edits ?? []);
  return edits.some((a, index) =>
    edits.slice(index + 1).some((b) => a.file === b.file && a.start < b.end && b.start < a.end),
  );
}
