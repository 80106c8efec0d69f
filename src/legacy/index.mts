/** The door `nozomi/legacy` for ES modules: the same instance. §9.3 */
import legacy from './index.js';

export default legacy;
