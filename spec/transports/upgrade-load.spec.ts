import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { frame, knock, received } from './web-sockets';

const SOCKETS = 1000;
/** How much more memory a WebSocket may take than with the package ws alone. */
const MAX_RATIO = 1.1;

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
}

describe('upgrade(), 1,000 WebSockets through a session and authentication', () => {
  const opened: Socket[] = [];
  const children: ChildProcess[] = [];
  after(() => {
    for (const socket of opened) socket.destroy();
    for (const child of children) child.kill();
  });

  it('loses none, and takes at most 10 % more memory for each than ws alone', async () => {
    const alone = await memoryPerSocket(await start('ws'), '');
    const server = await start('nozomi');
    const login = await fetch(`http://127.0.0.1:${server.port}/login`);
    const cookie = `Cookie: ${login.headers.getSetCookie()[0]?.split(';')[0]}\r\n`;
    const ours = await memoryPerSocket(server, cookie);

    const figures = `bytes per WebSocket: ${ours}, with ws alone ${alone}, ${(ours / alone).toFixed(3)} times as many`;
    console.log(`    Node.js ${process.version}, 4 × ${SOCKETS} WebSockets, 0 lost, ${figures}`);
    expect(ours / alone, figures).to.be.lessThan(MAX_RATIO);
  });

  async function start(kind: string): Promise<Server> {
    const child = fork(join(__dirname, 'upgrade-server.cjs'), [kind], { execArgv: ['--expose-gc'] });
    children.push(child);
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    return { child, port };
  }

  /** @returns The bytes of the smallest of several rounds: in each, V8 may also compile code. */
  async function memoryPerSocket({ child, port }: Server, headers: string): Promise<number> {
    const rounds: number[] = [];
    for (let round = 0; round < 4; round++) {
      const before = await measure(child);
      const sockets = await open(port, headers, SOCKETS);
      opened.push(...sockets);
      const after = await measure(child);
      expect(after.sockets - before.sockets).to.equal(SOCKETS);
      rounds.push(Math.round((after.memory - before.memory) / SOCKETS));
      await Promise.all(
        sockets.map(async (socket, i) => {
          socket.write(frame(`message ${i}`));
          await received(socket, `message ${i}`);
        }),
      );
    }
    return Math.min(...rounds);
  }

  async function measure(child: ChildProcess): Promise<{ memory: number; sockets: number }> {
    child.send('measure');
    const [measured] = await once(child, 'message');
    return measured;
  }

  /** Opens WebSockets, 50 at a time. */
  async function open(port: number, headers: string, count: number): Promise<Socket[]> {
    const sockets: Socket[] = [];
    while (sockets.length < count) {
      const some = Array.from({ length: 50 }, () => knock(port, '/echo/1', headers));
      const heads = await Promise.all(some.map((socket) => received(socket, '\r\n\r\n')));
      for (const head of heads) expect(head).to.match(/^HTTP\/1\.1 101 /);
      sockets.push(...some);
    }
    return sockets;
  }
});
