/** Entry point of `npm run parity`, which runs from the sources. */
import './bin';
