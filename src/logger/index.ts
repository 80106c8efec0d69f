/** Entry point `nozomi/logger`: the logger without the framework. Its declarations are those of interface.d.ts. L-1-01 */
import type api from './interface';
import { logger as create } from './logger';

const logger: typeof api = create;

export = logger;
