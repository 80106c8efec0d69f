/** The header methods that Express 3 and 4 share. §9.3, E4-F16, E4-F28 to E4-F30 · RFC 8288, RFC 6266 */
import { extname } from 'node:path';
import deprecateFor from 'depd';
import vary from 'vary';
import { type SetMethods, type SettableResponse, setMethods } from '../response/headers';
import type { HeaderRules } from '../series';
import { toDisposition } from './disposition';

const deprecate = deprecateFor('express');

interface Attachable extends SettableResponse {
  type(type: string): unknown;
}

interface HeaderMethods<Res> extends SetMethods<Res> {
  links(links: Record<string, string>): Res;
  vary(field?: string | string[]): Res;
  attachment(filename?: string): Res;
}

export function headerMethods<Res extends Attachable>(
  rules: HeaderRules,
): ThisType<Res> & HeaderMethods<Res> {
  return {
    ...setMethods<Res>(rules),

    /** Adds links to the header `Link`. The keys are relations. A list of URLs becomes one link with commas: `</a,/b>`. */
    links(links) {
      const former = this.get('Link');
      const added = Object.entries(links).map(([rel, url]) => `<${url}>; rel="${rel}"`);
      this.set('Link', (former ? `${former}, ` : '') + added.join(', '));
      return this;
    },

    /** Adds header names to `Vary`. Without a name, it does nothing. */
    vary(field) {
      if (field && !(Array.isArray(field) && field.length === 0)) vary(this, field);
      else if (rules.varyWithoutName === 'warns') deprecate('res.vary(): Provide a field name');
      return this;
    },

    /** Makes browsers save the body as a file. The extension of `filename` sets the content type. */
    attachment(filename) {
      if (filename) this.type(extname(filename));
      this.set('Content-Disposition', toDisposition(filename));
      return this;
    },
  };
}
