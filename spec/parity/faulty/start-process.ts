/** Starts an implementation, prints its process id and waits to be killed. */
import { ImplementationProcess, REFERENCE } from '../../../parity/implementations/implementations';

const implementation = new ImplementationProcess(REFERENCE);
implementation.ready.then(() => console.log(implementation.pid));
