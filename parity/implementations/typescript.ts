/** Finds the options of Node.js for an application written in TypeScript. */
import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './project';

/**
 * Returns the options of Node.js to run a file; none for JavaScript. TypeScript runs with `tsx` if it is installed,
 * otherwise with the type stripping of Node.js.
 *
 * @throws TypeError if Node.js cannot run TypeScript. The message contains the `npm install` command.
 */
export function loaderFor(file: string): string[] {
  if (!/^\.[mc]?tsx?$/.test(extname(file))) return [];
  const tsx = findTsx(file);
  if (tsx) return ['--import', pathToFileURL(tsx).href];
  // `features.typescript` is truthy if Node.js strips types without an option, as Node.js 22.18 does.
  const { features } = process as unknown as { features: { typescript?: unknown } };
  if (features.typescript) return [];
  if (process.allowedNodeEnvironmentFlags.has('--experimental-strip-types'))
    return ['--experimental-strip-types'];
  throw new TypeError(
    `${file}: Node.js ${process.versions.node} does not run TypeScript by itself: npm install --save-dev tsx`,
  );
}

/**
 * Finds a module of this package that runs in the process of an application.
 *
 * @param path Without its extension: in the sources the module is TypeScript, and in the package JavaScript.
 * @param file The file of the application.
 * @returns The file of the module, and the options of Node.js to run both.
 */
export function moduleBeside(
  path: string,
  file: string,
): { readonly module: string; readonly loaders: string[] } {
  const loaders = loaderFor(file);
  const source = `${path}.ts`;
  if (!existsSync(source)) return { module: `${path}.js`, loaders };
  if (loaders.length === 0) loaders.push('--import', pathToFileURL(require.resolve('tsx')).href);
  return { module: source, loaders };
}

function findTsx(file: string): string | undefined {
  try {
    return require.resolve('tsx', { paths: [file, ROOT] });
  } catch {
    return undefined;
  }
}
