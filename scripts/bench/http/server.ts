// One peer serving one workload in a process of its own: tells its port, and when asked what it has used.
//   server.ts <peer> <workload> <directory of files>
import type { AddressInfo } from 'node:net';
import { PEERS } from './peers';

export interface Usage {
  /** CPU time of the process so far, in microseconds. */
  cpu: number;
  /** Bytes. */
  rss: number;
  heap: number;
}

const [peer = '', workload = '', files = ''] = process.argv.slice(2);

main().catch((err) => {
  console.error(err);
  process.exit(1);
});

async function main(): Promise<void> {
  const server = await PEERS[peer]?.serve(workload, files);
  if (!server) {
    process.send?.({ port: 0 });
    return process.disconnect();
  }
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  process.on('message', () => process.send?.(usage()));
  process.on('disconnect', () => process.exit());
  process.send?.({ port: (server.address() as AddressInfo).port });
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return { cpu: user + system, rss, heap: heapUsed };
}
