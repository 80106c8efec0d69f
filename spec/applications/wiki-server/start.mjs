// Starts one server of the Federated Wiki. Its own command forks workers, which the comparison cannot follow.
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import server from 'wiki-server';

const root = dirname(fileURLToPath(import.meta.resolve('wiki-server')));
const app = await server({ root, data: 'data', port: 3000, cookieSecret: 'parity', security_legacy: true });
await once(app, 'owner-set');

export default app;
