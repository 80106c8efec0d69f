/** Runs all checks of `nozomi-parity doctor`. The findings are sorted by file and line. */
import type { LiveApplication } from '../live';
import type { Finding } from '../model';
import { findInHandlers } from './bodies';
import { findLostContexts } from './contexts';
import { findDotFolders, findGuards, findMissingFolders, findSentFiles } from './files';
import { findErrorHandlers, findLateMiddleware, findUnparsedBodies } from './functions';
import { findHanging, findMisplaced } from './layers';
import { findCopies, findUndeclared } from './packages';
import { findExpress4Paths } from './paths';
import { findSessionCookies, findTrustedProxies } from './settings';
import { findShadowed } from './shadowed';

export async function findAll(application: LiveApplication): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const root of application.roots) {
    findings.push(...(await findShadowed(root)));
    findings.push(...findErrorHandlers(root));
  }
  // Only the first root: a plain function may call the others, before or after handlers that the tree does not contain.
  const [served] = application.roots;
  if (served) findings.push(...findLateMiddleware(served), ...findUnparsedBodies(served));
  findings.push(
    ...(await findGuards(application)),
    ...findDotFolders(application),
    ...findMissingFolders(application),
    ...findMisplaced(application),
    ...findHanging(application),
    ...(await findLostContexts(application)),
    ...(await findInHandlers(application)),
    ...findSentFiles(application),
    ...findTrustedProxies(application),
    ...findSessionCookies(application),
    ...findUndeclared(application),
    ...findCopies(application),
    ...findExpress4Paths(application),
  );
  return findings.sort(byPlace);
}

function byPlace({ site: a }: Finding, { site: b }: Finding): number {
  if (!a || !b) return Number(!a) - Number(!b);
  return a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line;
}
