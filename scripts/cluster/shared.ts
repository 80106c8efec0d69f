/** Checks what the processes of the example share in Redis besides sessions, and the metrics of each. */
import { end, freePort } from '../../parity/harness/processes';
import { startServer } from './children';

const PROCESSES = 3;
/** The limit of `/login` in server.js. */
const LIMIT = 5;

/** @returns Whether all processes together let a client try as often as the limit allows, and serve metrics. */
export async function haveSharedLimit(env: NodeJS.ProcessEnv): Promise<boolean> {
  const metrics = await freePort();
  const ports = await Promise.all(Array.from({ length: PROCESSES }, freePort));
  const running = await Promise.all(
    ports.map((port, index) => startServer(port, index === 0 ? { ...env, METRICS_PORT: `${metrics}` } : env)),
  );
  try {
    const statuses: number[] = [];
    for (let turn = 0; turn < LIMIT + PROCESSES; turn++) {
      const res = await fetch(`http://127.0.0.1:${ports[turn % PROCESSES]}/login`, { method: 'POST' });
      statuses.push(res.status);
    }
    const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    const [, busy] = /^nodejs_eventloop_utilization (\S+)$/m.exec(text) ?? [];
    console.log(`limits: ${statuses.join(' ')} of ${PROCESSES} processes; event loop utilization ${busy}`);
    const allowed = statuses.filter((status) => status === 200).length;
    const isLimited = statuses.slice(LIMIT).every((status) => status === 429);
    return allowed === LIMIT && isLimited && Number(busy) > 0 && Number(busy) < 1;
  } finally {
    await Promise.all(running.map((child) => end(child)));
  }
}
