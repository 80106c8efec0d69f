/** Entry point `nozomi/3` for ES modules: the same instance. §9.3 */
import express3 from './index.js';

export default express3;
