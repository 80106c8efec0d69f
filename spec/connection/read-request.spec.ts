/** Compares what Nozomi reads from a connection with what Node.js's parser reads. */
import http, { type Server } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import framework from 'nozomi';
import { converse, type Observed, recorder } from './conversation';
import { pieces } from './requests';

/** The number of inputs. `CONNECTION_INPUTS=1000000` for a long run. */
const INPUTS = Number(process.env.CONNECTION_INPUTS ?? 20_000);

/** Milliseconds: longer than any number of inputs takes. */
const DAY = 86_400_000;

/** A server that records what it reads. */
class Reading {
  observed: Observed = [];
  readonly server: Server;

  constructor(create: (record: http.RequestListener) => Server) {
    this.server = create(recorder(() => this.observed));
    this.server.on('clientError', (err: NodeJS.ErrnoException, socket) => {
      this.observed.push(['clientError', err.code]);
      socket.destroy(err);
    });
    this.server.on('upgrade', (req, socket, head) => {
      this.observed.push(['upgrade', req.method, req.url, req.rawHeaders, head.toString('latin1')]);
      socket.destroy();
    });
  }

  async read(input: readonly Buffer[], isOpen: boolean): Promise<{ observed: Observed; calls: number }> {
    this.observed = [];
    const calls = await converse(this.server, input, this.observed, isOpen);
    return { observed: this.observed, calls };
  }
}

describe('a connection that Nozomi reads', () => {
  it('delivers the requests that Node.js reads from the same bytes, in any pieces', async function () {
    this.timeout(0);
    const node = new Reading((record) => http.createServer(record));
    const own = new Reading((record) => {
      const app = framework().set('env', 'test').disable('x-powered-by').enable('own connection');
      return http.createServer(app.use(record));
    });
    // The server creates requests for the application from its second request on.
    await own.read([Buffer.from('GET / HTTP/1.1\r\nHost: h\r\n\r\n')], false);
    let requests = 0;
    let delivered = 0;

    await fc.assert(
      fc.asyncProperty(pieces, fc.constantFrom(true, true, true, false), async (input, isOpen) => {
        const [expected, seen] = await Promise.all([node.read(input, isOpen), own.read(input, isOpen)]);

        expect(seen.observed).to.deep.equal(expected.observed);
        requests += input.length;
        delivered += expected.calls - seen.calls;
      }),
      { numRuns: INPUTS, interruptAfterTimeLimit: DAY },
    );

    // Otherwise the property shows nothing.
    expect(delivered / requests).to.be.greaterThan(0.1);
  });
});
