/**
 * Entry point `nozomi/fetch`: an application as a function from `Request` to `Response`, and such a function as
 * middleware. https://fetch.spec.whatwg.org
 */
export { type FetchHandler, type FromFetchOptions, fromFetch } from './from-fetch';
export { type FetchOptions, type Peer, toFetch } from './to-fetch';
