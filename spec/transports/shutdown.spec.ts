/** Each behaviour of a client on each server, alone and mixed, while `graceful` shuts the server down. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { graceful } from 'nozomi/graceful';
import { heldBeyond, heldNow } from '../security/held';
import { portOf } from '../support/serve';
import { until } from '../support/until';
import {
  application,
  BEHAVIOURS,
  type Behaviour,
  type Client,
  fits,
  SERVERS,
  startServer,
} from './shutdown-clients';
import { connectionsOf } from './support';

/** Milliseconds. No case waits so long: the clock is moved. */
const DEADLINE = 600_000;

describe('graceful() ends with its running requests, or at the deadline', () => {
  const { now } = performance;
  afterEach(() => {
    performance.now = now;
  });

  for (const name of Object.keys(SERVERS)) {
    const fitting = Object.entries(BEHAVIOURS).filter(([, behaviour]) => fits(behaviour, name));
    for (const [title, behaviour] of fitting) {
      it(`${name}, ${title}: ${behaviour.ends ? 'ends before' : 'is cut at'} the deadline`, async () => {
        await shutDown(name, [title]);
      });
    }

    it(`${name}, any mix of clients: none outlives the deadline`, async () => {
      const titles = fc.constantFrom(...fitting.map(([title]) => title));
      await fc.assert(
        fc.asyncProperty(fc.array(titles, { minLength: 2, maxLength: 6 }), (mix) => shutDown(name, mix)),
        { numRuns: 6 },
      );
    });
  }

  /** Shuts a server down while it has these clients, and checks what each of them receives. */
  async function shutDown(name: string, titles: readonly string[]): Promise<void> {
    const before = await heldNow();
    const kind = SERVERS[name] as (typeof SERVERS)[string];
    const { app, release } = application();
    const server = await startServer(kind, app);
    const clients: Client[] = [];
    let offset = 0;
    performance.now = () => now.call(performance) + offset;
    const close = graceful(server, { deadline: DEADLINE });
    try {
      for (const title of titles) {
        const { connect } = BEHAVIOURS[title] as Behaviour;
        clients.push(await connect({ port: portOf(server), server, isSecure: kind.isSecure, release }));
      }
      for (const client of clients) client.begin?.();
      let isOver = false;
      const ended = close().then(() => {
        isOver = true;
      });
      await until(() => !server.listening);
      await Promise.all(clients.map((client) => client.proceed?.()));
      expect(clients.map((client) => client.problem?.())).to.deep.equal(clients.map(() => undefined));

      const expected = titles.map((title) => BEHAVIOURS[title]?.ends);
      if (expected.includes(false)) {
        await wait(120);
        expect(isOver, 'over before the deadline').to.equal(false);
      }
      if (!expected.every((ends) => ends)) offset = DEADLINE;
      await until(() => isOver);
      await ended;
      expect(await connectionsOf(server)).to.equal(0);
    } finally {
      offset = DEADLINE;
      for (const client of clients) client.destroy();
      if (server.listening) await close();
    }
    expect(await heldBeyond(before)).to.deep.equal({});
  }
});
