/** The header methods of Express 4. E4-F16, E4-F20 to E4-F22, E4-F28 to E4-F30 */
import deprecateFor from 'depd';
import vary from 'vary';
import { attachment } from '../legacy/disposition';
import { links } from '../legacy/links';
import { setMethods } from '../response/headers';
import type { Part } from '../types';
import { mime } from './mime';
import type { Response } from './types';

const deprecate = deprecateFor('express');

const CHARSET = /;\s*charset\s*=/;

const setters = setMethods<Response>({
  toContentType: addDefaultCharset,
  lookup: (name) => mime.lookup(name),
});

export const headers: Part<
  Response,
  'set' | 'header' | 'type' | 'contentType' | 'links' | 'vary' | 'attachment'
> = {
  set: setters.set,
  header: setters.set,
  type: setters.type,
  contentType: setters.type,

  links,

  vary(field?: string | string[]) {
    if (!field || (Array.isArray(field) && field.length === 0)) {
      deprecate('res.vary(): Provide a field name');
    } else {
      vary(this, field);
    }
    return this;
  },

  attachment,
};

function addDefaultCharset(type: string | string[]): string {
  if (Array.isArray(type)) throw new TypeError('Content-Type cannot be set to an Array');
  if (CHARSET.test(type)) return type;
  const charset = mime.charsets.lookup(type.replace(/;.*/s, ''));
  return charset ? `${type}; charset=${charset.toLowerCase()}` : type;
}
