/** The methods `res.set`, `get`, `append`, `type`, `links`, `vary` and `attachment`. §4.5 */
import { basename, extname } from 'node:path';
import { create as createDisposition } from 'content-disposition';
import vary from 'vary';
import { get } from '../http/header-store';
import { express5, type HeaderRules } from '../series';
import type { AnyResponse, Part, Response } from '../types';

type Headers = 'set' | 'header' | 'get' | 'append' | 'type' | 'contentType' | 'links' | 'vary' | 'attachment';

export interface SettableResponse extends AnyResponse {
  set(name: string, value?: unknown): this;
}

type SetHeader<Res> = (field: string | Record<string, unknown>, value?: unknown) => Res;
type SetType<Res> = (type: string) => Res;
export type SetMethods<Res> = Record<'set' | 'header', SetHeader<Res>> &
  Record<'type' | 'contentType', SetType<Res>>;

export function setMethods<Res extends SettableResponse>(rules: HeaderRules): SetMethods<Res> {
  const methods: ThisType<Res> & Pick<SetMethods<Res>, 'set' | 'type'> = {
    /**
     * Sets one header, or each header of an object. Converts values to strings.
     *
     * @throws {TypeError} for headers that Node.js rejects.
     */
    set(field, value) {
      // biome-ignore lint/complexity/noArguments: `set(a, undefined)` is not `set(a)`, and `set.length` must stay 2.
      if (arguments.length !== 2) {
        const fields = Object(field);
        for (const name in fields) this.set(name, fields[name]);
        return this;
      }
      const text = Array.isArray(value) ? value.map(String) : String(value);
      // A cast: if `field` is an object, `toLowerCase` throws below, as in Express.
      const name = field as string;
      const isContentType = name.toLowerCase() === 'content-type';
      this.setHeader(name, isContentType ? rules.toContentType(text) : text);
      return this;
    },

    /** Sets `Content-Type` to a media type, or to the type of a file extension or file name. */
    type(type) {
      const isMediaType = type.indexOf('/') !== -1;
      return this.set('Content-Type', isMediaType ? type : rules.lookupType(type));
    },
  };
  // Not destructured: the bundler would rename the parameter `type`, which an error of V8 names.
  return { set: methods.set, header: methods.set, type: methods.type, contentType: methods.type };
}

export const headers: Part<Response, Headers> = {
  ...setMethods<Response>(express5.response),

  get,

  /** Adds a value to a header, or sets the header if it is missing. A later `set` replaces all values. */
  append(field: string, value: string | string[]) {
    const former = this.get(field);
    return this.set(field, former ? [former, value].flat() : value);
  },

  /**
   * Adds links to the header `Link`. RFC 8288
   *
   * @param links The keys are relations, such as `next`. Each value is one URL or an array of URLs.
   */
  links(links: Record<string, string | string[]>) {
    const former = this.get('Link');
    const added = Object.keys(links).map((rel) => {
      const toLink = (url: string | undefined): string => `<${url}>; rel="${rel}"`;
      return Array.isArray(links[rel]) ? links[rel].map(toLink).join(', ') : toLink(links[rel]);
    });
    return this.set('Link', (former ? `${former}, ` : '') + added.join(', '));
  },

  /** Adds header names to `Vary`, unless they are already listed. */
  vary(field: string | string[]) {
    vary(this, field);
    return this;
  },

  /** Makes browsers save the body as a file. The extension of `filename` sets `Content-Type`. RFC 6266 */
  attachment(filename?: string) {
    const name = filename === undefined ? undefined : basename(filename);
    if (name) this.type(extname(name));
    this.set('Content-Disposition', createDisposition(name));
    return this;
  },
};
