/** Entry point `nozomi/http2` for ES modules. It exports the same functions as the CommonJS entry point. */
import entry from './index.js';

export type { Http2Options, Listener, Server } from './index.js';
export const createServer: typeof entry.createServer = entry.createServer;
export const listen: typeof entry.listen = entry.listen;
