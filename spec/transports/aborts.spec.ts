import type { RequestListener } from 'node:http';
import http2, { type ClientHttp2Session, constants } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import framework from 'nozomi';
import { createServer } from 'nozomi/http2';
import { heldBeyond, heldNow } from '../security/held';
import { PATIENCE } from '../support/play';
import { until } from '../support/until';
import { askHttp2, listening, open } from './support';

/** The number of uploads, and also of downloads. */
const COUNT = 500;
const CHUNK = Buffer.alloc(16_384, 'x');

interface Outcome {
  isAborted: boolean;
  ended: number;
  finished: number;
  closed: number;
}

/** Generates pseudo-random numbers with a fixed seed. */
function* numbers(): Generator<number, never> {
  for (let seed = 42; ; ) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    yield seed / 2 ** 31;
  }
}

function* endless(): Generator<Buffer, never> {
  for (;;) yield CHUNK;
}

describe('HTTP/2, clients that disconnect', () => {
  it('1,000 aborted uploads and downloads emit neither end nor finish, and other requests continue', async function () {
    this.timeout(60_000);
    const before = await heldNow();
    const outcomes = new Map<string, Outcome>();
    const app = framework().set('env', 'test');
    app.use((req, res, next) => {
      const outcome: Outcome = { isAborted: false, ended: 0, finished: 0, closed: 0 };
      if (req.url !== '/neighbour') outcomes.set(req.url, outcome);
      req.on('end', () => outcome.ended++);
      req.on('aborted', () => {
        outcome.isAborted = true;
      });
      req.on('error', () => undefined);
      res.on('finish', () => outcome.finished++);
      res.on('close', () => {
        outcome.closed++;
        // As an application that ends its response after the client has gone: no `finish` may follow.
        res.end('rest');
      });
      next();
    });
    app.post('/:id', (req) => void req.resume());
    app.get('/neighbour', (_req, res) => void res.send('neighbour'));
    app.get('/:id', (_req, res) => void pipeline(Readable.from(endless()), res, () => undefined));
    const server = createServer({ cleartext: true }, app);
    const port = await listening(server);
    const sessions: ClientHttp2Session[] = [];
    const newSession = (): { session: ClientHttp2Session; socket: Socket } => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      const session = http2.connect(`http://127.0.0.1:${port}`, { createConnection: () => socket });
      session.on('error', () => undefined);
      session.once('close', () => socket.destroy());
      sessions.push(session);
      return { session, socket };
    };
    const random = numbers();
    const cuts = { stream: 0, session: 0, socket: 0 };
    let shared = newSession();

    const cutOne = async (index: number): Promise<void> => {
      const kind = Math.floor(random.next().value * 10);
      const delay = random.next().value * 8;
      const isUpload = index % 2 === 0;
      // Two kinds of abort end the whole session, so these requests have their own.
      const { session, socket } = kind < 8 ? shared : newSession();
      const stream = open(session, {
        path: `/${index}`,
        method: isUpload ? 'POST' : 'GET',
        ...(isUpload ? { body: '' } : {}),
      });
      stream.on('error', () => undefined).resume();
      if (isUpload) stream.write(CHUNK);
      await until(() => outcomes.has(`/${index}`));
      await wait(delay);
      if (kind < 8) {
        stream.destroy(new Error('enough'));
        cuts.stream++;
      } else if (kind === 8) {
        session.destroy(new Error('GOAWAY'));
        cuts.session++;
      } else {
        socket.destroy();
        cuts.socket++;
      }
    };

    for (let start = 0; start < 2 * COUNT; start += 50) {
      const neighbour = askHttp2(shared.session, { path: '/neighbour' });
      await Promise.all(Array.from({ length: 50 }, (_each, i) => cutOne(start + i)));
      expect(String((await neighbour).body)).to.equal('neighbour');
      if (shared.session.destroyed) shared = newSession();
    }
    const isOver = (): boolean => [...outcomes.values()].every(({ closed }) => closed > 0);
    const end = Date.now() + PATIENCE;
    while (!isOver() && Date.now() < end) await wait(10);

    const all = [...outcomes.values()];
    expect(all.length).to.equal(2 * COUNT);
    expect(all.filter(({ isAborted }) => !isAborted).length, 'not aborted').to.equal(0);
    expect(
      [...outcomes].filter(([url, { ended }]) => Number(url.slice(1)) % 2 === 0 && ended > 0).length,
    ).to.equal(0);
    expect(all.filter(({ closed }) => closed !== 1).length, 'closed other than once').to.equal(0);
    expect(Object.values(cuts).every((count) => count > 0)).to.equal(true);
    for (const session of sessions) session.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    expect(all.filter(({ finished }) => finished > 0).length, 'finished').to.equal(0);
    expect(await heldBeyond(before)).to.deep.equal({});
  });

  it('a session accepts as many cancelled downloads as with node:http2 alone, which counts their queued data forever', async () => {
    const download: RequestListener = (_req, res) => {
      const chunk = Buffer.alloc(res.writableHighWaterMark / 4);
      while (res.write(chunk));
    };
    const app = framework().set('env', 'test').get('/', download);
    const withApplication = await cancelUntilRefused(app);
    const withListener = await cancelUntilRefused(download);
    expect(withApplication).to.be.greaterThan(10);
    expect(withApplication / withListener).to.be.closeTo(1, 0.2);
  });
});

/** @returns The number of downloads that a client can cancel on one session until Node.js refuses the next. */
async function cancelUntilRefused(listener: RequestListener): Promise<number> {
  const server = http2.createServer({ maxSessionMemory: 1 }, listener as never);
  const port = await listening(server);
  // With a window of 0 bytes, all data stays in the queue of the stream.
  const session = http2.connect(`http://127.0.0.1:${port}`, { settings: { initialWindowSize: 0 } });
  session.on('error', () => undefined);
  try {
    for (let count = 0; ; count++) {
      const stream = session.request({ ':path': '/' });
      stream.on('error', () => undefined);
      const isAccepted = await new Promise<boolean>((resolve) => {
        stream.once('response', () => resolve(true)).once('close', () => resolve(false));
      });
      if (!isAccepted) return count;
      stream.close(constants.NGHTTP2_CANCEL);
      await new Promise<void>((resolve) => stream.once('close', resolve));
    }
  } finally {
    session.destroy();
    server.close();
  }
}
