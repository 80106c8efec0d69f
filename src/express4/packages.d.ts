/** The types of packages that Express 4 uses, in their versions for it. This file is not published. */

declare module 'negotiator-0' {
  /** Each method returns the values that the client accepts, best first: all of them, or those of `available`. */
  interface Negotiator {
    charsets(available?: readonly string[]): string[];
    encodings(available?: readonly string[]): string[];
    languages(available?: readonly string[]): string[];
    mediaTypes(available?: readonly string[]): string[];
  }
  function negotiator(req: { readonly headers: object }): Negotiator;
  export = negotiator;
}

declare module 'path-to-regexp-0' {
  function pathToRegexp(path: unknown, keys?: object[], options?: object): RegExp;
  export = pathToRegexp;
}
