/** The header methods of Express 4. E4-F16, E4-F20 to E4-F22, E4-F28 to E4-F30 */
import { headerMethods } from '../legacy/headers';
import type { Part } from '../types';
import { mime } from './mime';
import type { Response } from './types';

const CHARSET = /;\s*charset\s*=/;

type Member = 'set' | 'header' | 'type' | 'contentType' | 'links' | 'vary' | 'attachment';

export const headers: Part<Response, Member> = headerMethods<Response>({
  toContentType: addDefaultCharset,
  lookup: (name) => mime.lookup(name),
  warnsOfNoName: true,
});

function addDefaultCharset(type: string | string[]): string {
  if (Array.isArray(type)) throw new TypeError('Content-Type cannot be set to an Array');
  if (CHARSET.test(type)) return type;
  const charset = mime.charsets.lookup(type.replace(/;.*/s, ''));
  return charset ? `${type}; charset=${charset.toLowerCase()}` : type;
}
