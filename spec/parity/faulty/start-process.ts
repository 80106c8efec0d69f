/** Starts the process of an implementation, and prints its process id. */
import { ImplementationProcess, REFERENCE } from '../../../parity/implementations/implementations';

const implementation = new ImplementationProcess(REFERENCE);
implementation.ready.then(() => console.log(implementation.pid));
