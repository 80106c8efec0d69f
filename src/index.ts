/** Entry point `nozomi`: `module.exports` is the function `framework`. Its declarations are those of interface.d.ts. §4.1 */
import { installAdapters } from './agents/install';
import { framework as create, type Framework, parts } from './framework';

const framework: Framework = installAdapters(create, parts);

export = framework;
