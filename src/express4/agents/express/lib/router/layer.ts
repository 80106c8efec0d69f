/** Replaces `express/lib/router/layer` of Express 4 for libraries that require this file by its path. E4-M */
import { Layer } from '../../../../layer';

export = Layer;
