/**
 * Entry point `nozomi/fetch`. `toFetch` turns an application into a function from `Request` to `Response`, and
 * `fromFetch` turns such a function into middleware. https://fetch.spec.whatwg.org
 */
export { type FetchHandler, type FromFetchOptions, fromFetch } from './from-fetch';
export { type FetchOptions, type Peer, toFetch } from './to-fetch';
