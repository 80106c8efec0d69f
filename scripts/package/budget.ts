/** Checks that Nozomi is small. The budgets are for its version for Express 5. */
import { packagesBelow, sum, type Weight, weigh } from './tree';

export const MAX_FILES = 100;
export const MAX_BYTES = 900_000;
/** The most bytes of an installation, relative to one of Express, morgan and @types/express. */
export const MAX_INSTALLED_RATIO = 1.1;

const EXPRESS = ['express', 'morgan', '@types/express'].map((name) => `node_modules/${name}`);

/**
 * @param own The folder with the unpacked tarball.
 * @throws {Error} if it has too many files or bytes, or if an installation of it is too large.
 */
export function checkBudget(own: string): void {
  const { files, bytes } = weigh(own);
  if (files > MAX_FILES || bytes > MAX_BYTES)
    throw new Error(`expected at most ${MAX_FILES} files and ${MAX_BYTES} bytes, got ${files} and ${bytes}`);
  const ours = weighInstalled([own], packagesBelow(''));
  const theirs = weighInstalled([], [...EXPRESS.map((folder) => ({ folder })), ...packagesBelow(...EXPRESS)]);
  if (ours.bytes > MAX_INSTALLED_RATIO * theirs.bytes)
    throw new Error(`an installation has ${ours.bytes} bytes, that of Express has ${theirs.bytes}`);
}

function weighInstalled(own: readonly string[], packages: ReadonlyArray<{ folder: string }>): Weight {
  return sum([...new Set([...own, ...packages.map(({ folder }) => folder)])].map(weigh));
}
