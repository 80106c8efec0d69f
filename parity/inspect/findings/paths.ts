/** Finds paths in the syntax of Express 4. */
import { parse, type Token } from 'path-to-regexp';
import { convertPath, type Frameworks, type Place } from '../../migrate/path/convert';
import { changePath } from '../changes';
import type { LiveApplication } from '../live';
import type { Change, Finding, Site } from '../model';
import type { Sources } from '../sources';
import { type LiveNode, pathOf, walkTree } from '../tree';
import { CODES } from './codes';
import { functionsOf } from './functions';

export function findExpress4Paths({ roots, registrations, sources }: LiveApplication): Finding[] {
  const nodes = roots.flatMap((root) => [...walkTree(root)]);
  const refused = registrations.malformed.map(({ path, reason, site }): Finding => {
    const isHere = (node: LiveNode): boolean =>
      node.site?.file === site?.file && node.site?.line === site?.line && node.site?.column === site?.column;
    const node = nodes.find(isHere);
    const base = { code: CODES.express4Path.code, severity: 'warning', site } as const;
    const query = /\?[^/?]*=/.exec(path);
    if (query)
      return {
        ...base,
        message: `"${path}" throws: a path contains no query. The values after ? are in req.query`,
        change: readsParams(node) ? undefined : changePath(sources, site, path, path.slice(0, query.index)),
      };
    return { ...base, message: `"${path}" throws: ${reason}`, change: converted(path, site, node, sources) };
  });
  const seen = new Set<string>();
  const notes = nodes.flatMap(({ kind, parent, layer, site, isBuiltIn }): Finding[] => {
    if (parent?.series !== '4.x' || !layer || isBuiltIn) return [];
    const paths = [pathOf(layer)].flat(Number.POSITIVE_INFINITY);
    return paths.flatMap((path): Finding[] => {
      const key = `${path} ${site?.file} ${site?.line}`;
      if (typeof path !== 'string' || isSameInBoth(path) || seen.has(key)) return [];
      seen.add(key);
      const place = {
        end: kind === 'route',
        sensitive: [Boolean(parent.router?.caseSensitive)],
        strict: [Boolean(parent.router?.strict)],
        readsNumbers: true,
      };
      const { kind: result } = convert(path, place);
      const migrates =
        result === 'string' || result === 'regexp' ? '; `nozomi-parity migrate` rewrites it' : '';
      return [
        {
          code: CODES.express4Path.code,
          severity: 'note',
          message: `"${path}" is a path of Express 4: Express 5 refuses it or matches it differently${migrates}`,
          site,
        },
      ];
    });
  });
  return [...refused, ...notes];
}

/** Whether a handler may read parameters, such as those in a query. */
function readsParams(node: LiveNode | undefined): boolean {
  const handlers = node ? functionsOf(node) : [];
  return handlers.length === 0 || handlers.some(({ handle }) => /\bparams?\b/.test(String(handle)));
}

/** The path that `nozomi-parity migrate` would write; undefined if no path matches the same targets. */
function converted(
  path: string,
  site: Site | undefined,
  node: LiveNode | undefined,
  sources: Sources,
): Change | undefined {
  const handlers = node ? functionsOf(node) : [];
  // Any use of the parameters by number, by a computed name, or as a whole.
  const readsNumbers =
    handlers.length === 0 ||
    handlers.some(({ handle }) => /\bparams\b(?!\??\.[A-Za-z_$])/.test(String(handle)));
  const { router } = node?.parent ?? {};
  const conversion = convert(path, {
    end: node?.kind !== 'middleware' && node?.kind !== 'router' && node?.kind !== 'application',
    sensitive: [Boolean(router?.caseSensitive)],
    strict: [Boolean(router?.strict)],
    readsNumbers,
  });
  if (conversion.kind !== 'string' && conversion.kind !== 'regexp') return undefined;
  return changePath(sources, site, path, conversion.path);
}

function convert(path: string, place: Place): ReturnType<typeof convertPath> {
  const frameworks = { express4: require('nozomi/4'), express5: require('nozomi/5') } as Frameworks;
  return convertPath(path, place, frameworks);
}

/** Whether a path has only text and parameters, which mean the same in Express 4 and 5. */
function isSameInBoth(path: string): boolean {
  try {
    return parse(path).tokens.every(({ type }: Token) => type === 'text' || type === 'param');
  } catch {
    return false;
  }
}
