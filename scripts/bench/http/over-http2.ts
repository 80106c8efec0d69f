/** Sends requests to a peer over streams of one HTTP/2 connection on loopback. */
import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import type { Sample } from '../../../parity/client/load';
import type { Driver, Served } from '../measure';
import type { Workload } from '../workloads';

/** The number of requests of the warm-up. */
const WARM = 4500;
/** The number of streams that are open at once. */
const AT_ONCE = 50;

export const overHttp2: Driver = {
  slice: 100_000,
  isQuiet: true,
  async ask(port, work) {
    const session = open(port, work);
    const stream = session.request({ ':path': work.target });
    const [headers] = await once(stream, 'response');
    let body = '';
    for await (const chunk of stream.setEncoding('utf8')) body += chunk;
    session.close();
    const { ':status': status, ...others } = headers as Record<string, string | number>;
    const list = Object.entries(others).map(([name, value]) => [name, String(value)] as const);
    return { status: Number(status), headers: list, body, length: body.length, size: body.length };
  },
  warm: async (served) => (await time(served, WARM)).cpu,
  time,
};

async function time({ child, port, work }: Served, count: number): Promise<Sample> {
  const session = open(port, work);
  const before = await child.ask<{ cpu: number }>({ usage: true });
  const started = performance.now();
  let left = count;
  const send = async (): Promise<void> => {
    while (left-- > 0) {
      const stream = session.request({ ':path': work.target });
      stream.resume();
      await once(stream, 'close');
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  const seconds = (performance.now() - started) / 1000;
  const after = await child.ask<{ cpu: number }>({ usage: true });
  session.close();
  return { cpu: (after.cpu - before.cpu) / count, throughput: count / seconds };
}

function open(port: number, { tls }: Workload): ClientHttp2Session {
  return connect(`${tls ? 'https' : 'http'}://127.0.0.1:${port}`, { rejectUnauthorized: false });
}
