/** Entry point `nozomi/fetch`: `toFetch` and `fromFetch`. https://fetch.spec.whatwg.org */
export { type FetchHandler, type FromFetchOptions, fromFetch } from './from-fetch';
export { type ApplicationFetch, type FetchOptions, type Peer, toFetch } from './to-fetch';
