/** Entry point `nozomi/graceful` for ES modules: the same instance. */
import entry from './index.js';

export type { GracefulOptions } from './index.js';
export const graceful: typeof entry.graceful = entry.graceful;
