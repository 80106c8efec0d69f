/** Entry point `nozomi/graceful` for ES modules. It exports the same function as the CommonJS entry point. */
import entry from './index.js';

export type { GracefulOptions } from './index.js';
export const graceful: typeof entry.graceful = entry.graceful;
