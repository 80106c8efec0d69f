import { join } from 'node:path';
import { outputOf } from '../../scripts/build/bundle';
import { isBuildTested } from './source';

const ROOT = join(__dirname, '..', '..');

/**
 * Loads a module of `src`, or of its bundle in `dist` if specs test the build, for specs of functions that no entry point exports.
 *
 * @param name The path of the module below `src`, without extension.
 * @example const { isAuthority } = inside<typeof import('../../src/http/authority')>('http/authority');
 */
export function inside<Exports>(name: string): Exports {
  return isBuildTested
    ? require(join(ROOT, 'dist', outputOf(name)))[name]
    : require(join(ROOT, 'src', `${name}.ts`));
}
