import { join } from 'node:path';
import { outputOf } from '../../scripts/build/bundle';

/**
 * Loads a module of `src` from its bundle in `dist`, for specs of functions that no entry point exports.
 *
 * @param name The path of the module below `src`, without extension.
 * @example const { isAuthority } = inside<typeof import('../../src/http/authority')>('http/authority');
 */
export function inside<Exports>(name: string): Exports {
  return require(join(__dirname, '..', '..', 'dist', outputOf(name)))[name];
}
