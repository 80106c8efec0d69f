/** The setting `etag`: compiles its value to a function that generates ETags. §2.4 */

import { strongETag, weakETag } from '../http/entity-tag';
import type { SettingsMap } from '../interface';
import type { ETagGenerator } from '../types';

/**
 * Compiles the value of the setting `etag`.
 *
 * @returns The function that generates ETags; undefined for `false`.
 * @throws {TypeError} if the value is not a boolean, `'weak'`, `'strong'` or a function.
 */
export function compileETag(value: SettingsMap['etag']): ETagGenerator | undefined {
  if (typeof value === 'function') return value;
  switch (value) {
    case true:
    case 'weak':
      return weakETag;
    case 'strong':
      return strongETag;
    case false:
      return undefined;
    default:
      throw new TypeError(`unknown value for etag function: ${value}`);
  }
}
