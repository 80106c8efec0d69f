import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const DECLARATION = /\.d\.m?ts$/;
const LIB = /^lib[\\/]\w+\.d\.ts$/;
// Matches `from './x'`, `import './x'`, `import('./x')` and `require('./x')`.
const IMPORT = /\b(?:from|import|require)\s*\(?\s*['"](\.[^'"]+)['"]/g;

/**
 * Removes the declaration files that neither an entry point nor a file of lib/ imports, even indirectly. Otherwise the
 * packages that they import would have to be dependencies.
 *
 * @param dist The folder of the build.
 * @param exported The `exports` of the package.json that belongs to it; their targets begin with `./dist/`.
 */
export function removeUnreachable(dist: string, exported: object): void {
  const declarations = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
    DECLARATION.test(file),
  );
  const reached = new Set<string>();
  for (const file of declaredIn(exported)) visit(join(dist, relative('dist', file)), reached);
  for (const file of declarations) if (LIB.test(file)) visit(join(dist, file), reached);
  for (const file of declarations) if (!reached.has(join(dist, file))) rmSync(join(dist, file));
}

/** @returns The values of all `types` conditions in the `exports` of package.json. */
function declaredIn(exports: object): string[] {
  return Object.entries(exports).flatMap(([condition, value]) => {
    if (typeof value === 'object' && value !== null) return declaredIn(value);
    return condition === 'types' ? [value] : [];
  });
}

function visit(file: string, reached: Set<string>): void {
  if (reached.has(file)) return;
  reached.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const target = resolve(dirname(file), path.replace(/\.js$/, ''));
    const found = [`${target}.d.ts`, join(target, 'index.d.ts')].find((one) => existsSync(one));
    if (!found) throw new Error(`${file}: imports ${path}, which has no declaration file`);
    visit(found, reached);
  }
}
