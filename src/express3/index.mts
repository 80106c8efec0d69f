/** Entry point `nozomi/3` for ES modules. It exports the same function as the CommonJS entry point. §9.3 */
import express3 from './index.js';

export default express3;
