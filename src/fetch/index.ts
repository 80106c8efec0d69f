/**
 * Entry point `nozomi/fetch`: `toFetch` makes a function from `Request` to `Response` of an application, and
 * `fromFetch` makes middleware of such a function. https://fetch.spec.whatwg.org
 */
export { type FetchHandler, type FromFetchOptions, fromFetch } from './from-fetch';
export { type FetchOptions, type Peer, toFetch } from './to-fetch';
