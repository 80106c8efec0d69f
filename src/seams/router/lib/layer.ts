/** `router/lib/layer`: what instrumentations wrap to see every handler run. §2.5 */
import { Layer } from '../../../routing/layer';

export default Layer;
module.exports = Layer;
