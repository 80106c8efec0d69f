/** `router/lib/layer`: where APM agents wrap `handleRequest` and `handleError`, to see every handler run. §2.5 */
import { Layer } from '../../../routing/layer';

export = Layer;
