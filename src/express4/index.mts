/** The entry point `nozomi/4` for ES modules: the same instance. */
import express4 from './index.js';

export default express4;
