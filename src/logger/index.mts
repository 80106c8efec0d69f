/**
 * Entry point `nozomi/logger` for ES modules. It exports the same function as the CommonJS entry point, and its members
 * by name. L-1-01
 */
import logger from './index.js';

export default logger;
export const compile: typeof logger.compile = logger.compile;
export const format: typeof logger.format = logger.format;
export const token: typeof logger.token = logger.token;
