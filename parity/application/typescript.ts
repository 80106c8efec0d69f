/** The options with which Node.js loads an application written in TypeScript. */
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../implementations/implementations';

/**
 * @returns The options: `tsx` if the application has it, otherwise type stripping if Node.js supports it.
 * @throws TypeError that names the package to install.
 */
export function loaderFor(file: string): string[] {
  if (!/^\.[mc]?tsx?$/.test(extname(file))) return [];
  const tsx = findTsx(file);
  if (tsx) return ['--import', pathToFileURL(tsx).href];
  // Node.js 22.18 and later strip types without an option.
  const { features } = process as unknown as { features: { typescript?: unknown } };
  if (features.typescript) return [];
  if (process.allowedNodeEnvironmentFlags.has('--experimental-strip-types'))
    return ['--experimental-strip-types'];
  throw new TypeError(
    `${file}: Node.js ${process.versions.node} does not run TypeScript by itself: npm install --save-dev tsx`,
  );
}

function findTsx(file: string): string | undefined {
  try {
    return require.resolve('tsx', { paths: [file, ROOT] });
  } catch {
    return undefined;
  }
}
