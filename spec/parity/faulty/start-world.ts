/** Starts a world, tells its process id and waits to be killed. */
import { REFERENCE, World } from '../../../parity/implementations/implementations';

const world = new World(REFERENCE);
world.ready.then(() => console.log(world.pid));
