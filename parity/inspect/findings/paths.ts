/** Paths in the syntax of Express 4. */
import { parse, type Token } from 'path-to-regexp';
import type { LiveApplication } from '../live';
import type { Finding } from '../model';
import { pathOf, walkTree } from '../tree';
import { CODES } from './codes';

const GUIDE = 'see docs/express4.md';

export function findExpress4Paths({ roots, registrations }: LiveApplication): Finding[] {
  const refused = registrations.malformed.map(
    ({ path, reason, site }): Finding => ({
      code: CODES.express4Path.code,
      severity: 'warning',
      message: `"${path}" throws: ${reason}`,
      site,
      fix: adviceFor(path),
    }),
  );
  const seen = new Set<string>();
  const notes = roots.flatMap((root) =>
    [...walkTree(root)].flatMap(({ parent, layer, site, isBuiltIn }): Finding[] => {
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
            message: `"${path}" is a path of Express 4: Express 5 refuses it, or reads it otherwise`,
            site,
            fix: adviceFor(path),
          },
        ];
      });
    }),
  );
  return [...refused, ...notes];
}

/** Text and parameters alone mean the same to both. */
function isSameInBoth(path: string): boolean {
  try {
    return parse(path).tokens.every(({ type }: Token) => type === 'text' || type === 'param');
  } catch {
    return false;
  }
}

function adviceFor(path: string): string {
  if (/(?:^|\/)\*$/.test(path)) {
    const before = path.slice(0, -1) || '/';
    return `write "${before}{*splat}"; what it takes is then in req.params.splat, as a list`;
  }
  if (/\/:\w+\?$/.test(path)) return `write "${path.replace(/\/(:\w+)\?$/, '{/$1}')}"`;
  if (/\([^)]*\)/.test(path))
    return `write a regular expression, and check parameters in the handler; ${GUIDE}`;
  return `write it in the syntax of path-to-regexp 8, or as a regular expression; ${GUIDE}`;
}
