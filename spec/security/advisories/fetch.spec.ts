/** Advisories of frameworks with the fetch interface, tested on `nozomi/fetch`. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { fromFetch } from 'nozomi/fetch';
import { close, portOf, serverOf } from '../../support/serve';

const CHUNK = new Uint8Array(64 * 1024);
/** The number of chunks of 64 kB, 640 MB in total. Without backpressure all would be read. */
const CHUNKS = 10_000;
/** The most chunks that may be read, 32 MB. It is more than the buffers of both sockets hold. */
const HELD_BACK = 500;

/** Waits until a counter has not grown in 20 checks. @returns Its value. */
async function settled(count: () => number): Promise<number> {
  let former = -1;
  for (let same = 0; same < 20; await pause(5)) {
    same = count() === former ? same + 1 : 0;
    former = count();
  }
  return former;
}

proves('CVE-2026-25224');
describe('advisories about web streams of nozomi/fetch', () => {
  it('fromFetch reads a web stream only as fast as the client reads the response', async () => {
    let taken = 0;
    const handler = fromFetch(
      () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              if (++taken < CHUNKS) controller.enqueue(CHUNK);
              else controller.close();
            },
          }),
        ),
    );
    const server = await serverOf((req, res) => {
      handler(req, res, () => res.end());
    });
    const socket = connect(portOf(server), '127.0.0.1').pause();
    try {
      socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
      await once(server, 'request');
      const held = await settled(() => taken);
      expect(held).to.be.within(1, HELD_BACK);

      socket.resume();
      await once(socket, 'data');
      expect(await settled(() => taken)).to.be.above(held);
    } finally {
      socket.destroy();
      await close(server);
    }
  });
});
