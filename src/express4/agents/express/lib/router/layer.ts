/** `express/lib/router/layer` of Express 4, for libraries that require it by path. E4-M */
import { Layer } from '../../../../layer';

export = Layer;
