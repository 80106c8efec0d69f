// The Worker that runs the scenarios in workerd.
import { control, fetch } from './prelude.mjs';
import '../../../parity/implementations/child';

export { control };
export default { fetch };
