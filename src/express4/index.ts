/** Entry point `nozomi/4`: `module.exports` is the function `express4`. Its declarations are those of interface.d.ts. */
import { optional } from '../agents/optional';
import { express4 as create, type Express4 } from './express4';

// APM agents wrap the module at this path.
const express4: Express4 =
  optional<Express4>(() => require('./node_modules/express/lib/express.js')) ?? create;

export = express4;
