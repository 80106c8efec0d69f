/** Runs all checks of `nozomi-parity doctor`. The findings are sorted by file and line. */
import type { LiveApplication } from '../live';
import type { Finding } from '../model';
import { findInHandlers, findLostQueries } from './bodies';
import { findLostContexts } from './contexts';
import { findDotFolders, findGuards, findMissingFolders, findSentFiles } from './files';
import { findErrorHandlers, findLateMiddleware } from './functions';
import { findHanging } from './hanging';
import { findMisplaced } from './layers';
import { findUnsetMembers } from './members';
import { findCopies, findUndeclared } from './packages';
import { findExpress4Paths } from './paths';
import { findInResponses } from './responses';
import { findInRouters } from './routers';
import { findInServers } from './servers';
import { findSessionCookies, findTrustedProxies } from './settings';
import { findShadowed } from './shadowed';
import { findSwapped } from './swapped';

export async function findAll(application: LiveApplication): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const root of application.roots) {
    findings.push(...(await findShadowed(root, application)));
    findings.push(...findErrorHandlers(root, application));
  }
  // Only the first root: a plain function may call the others, before or after handlers that the tree does not contain.
  const [served] = application.roots;
  if (served) findings.push(...findLateMiddleware(served, application));
  findings.push(
    ...(await findGuards(application)),
    ...findDotFolders(application),
    ...findMissingFolders(application),
    ...findMisplaced(application),
    ...findHanging(application),
    ...(await findLostContexts(application)),
    ...findUnsetMembers(application),
    ...findInHandlers(application),
    ...findLostQueries(application),
    ...findInResponses(application),
    ...findSwapped(application),
    ...findInRouters(application),
    ...findInServers(application),
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
