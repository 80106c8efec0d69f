/** Finds paths in the syntax of Express 4. */
import { parse, type Token } from 'path-to-regexp';
import { convertPath, type Frameworks, type Place } from '../../migrate/path/convert';
import type { LiveApplication } from '../live';
import type { Finding } from '../model';
import { pathOf, walkTree } from '../tree';
import { CODES } from './codes';

const GUIDE = 'see docs/express4.md';

/** A route of a router with default options. */
const PLACE: Place = { end: true, sensitive: [false], strict: [false], readsNumbers: false };

export function findExpress4Paths({ roots, registrations }: LiveApplication): Finding[] {
  const refused = registrations.malformed.map(
    ({ path, reason, site }): Finding => ({
      code: CODES.express4Path.code,
      severity: 'warning',
      message: `"${path}" throws: ${reason}`,
      site,
      // The router that refused the path is not known, so default options are used.
      fix: adviceFor(path, PLACE),
    }),
  );
  const seen = new Set<string>();
  const notes = roots.flatMap((root) =>
    [...walkTree(root)].flatMap(({ kind, parent, layer, site, isBuiltIn }): Finding[] => {
      if (parent?.series !== '4.x' || !layer || isBuiltIn) return [];
      const paths = [pathOf(layer)].flat(Number.POSITIVE_INFINITY);
      return paths.flatMap((path): Finding[] => {
        const key = `${path} ${site?.file} ${site?.line}`;
        if (typeof path !== 'string' || isSameInBoth(path) || seen.has(key)) return [];
        seen.add(key);
        return [
          {
            code: CODES.express4Path.code,
            severity: 'note',
            message: `"${path}" is a path of Express 4: Express 5 refuses it or matches it differently`,
            site,
            fix: adviceFor(path, {
              ...PLACE,
              end: kind === 'route',
              sensitive: [Boolean(parent.router?.caseSensitive)],
              strict: [Boolean(parent.router?.strict)],
            }),
          },
        ];
      });
    }),
  );
  return [...refused, ...notes];
}

/** Whether a path has only text and parameters, which mean the same in Express 4 and 5. */
function isSameInBoth(path: string): boolean {
  try {
    return parse(path).tokens.every(({ type }: Token) => type === 'text' || type === 'param');
  } catch {
    return false;
  }
}

/** Suggests the path that `nozomi-parity migrate` would write, or refers to the guide if no path matches the same targets. */
function adviceFor(path: string, place: Place): string {
  const frameworks = { express4: require('nozomi/4'), express5: require('nozomi/5') } as Frameworks;
  const conversion = convertPath(path, place, frameworks);
  if (conversion.kind !== 'string' && conversion.kind !== 'regexp')
    return `write a regular expression, or several paths; ${GUIDE}`;
  const { kind, targets } = conversion;
  const text = kind === 'string' ? `"${conversion.path}"` : String(conversion.path);
  const renamed =
    kind === 'string' && path.includes('*')
      ? '; the text of * is then a list with a name, not req.params[0]'
      : '';
  return `write ${text}, which matches the same (compared on ${targets} targets)${renamed}; \`nozomi-parity migrate\` does it`;
}
