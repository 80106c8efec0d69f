/** Entry point `nozomi/fetch` for ES modules. It exports the same functions as the CommonJS entry point. */
import entry from './index.js';

export type { FetchHandler, FetchOptions, FromFetchOptions, Peer } from './index.js';
export const fromFetch: typeof entry.fromFetch = entry.fromFetch;
export const toFetch: typeof entry.toFetch = entry.toFetch;
