/** `router/lib/layer`: APM agents wrap its `handleRequest` and `handleError` to trace every handler. §2.5 */
import { Layer } from '../../../routing/layer';

export = Layer;
