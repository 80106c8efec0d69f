/** Entry point of `npm run parity`, which runs from the sources. */
import { parity } from './command';

void parity(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
