import { EventEmitter, once } from 'node:events';
import { IncomingMessage } from 'node:http';
import http2, { type ClientHttp2Session, Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import framework, { type Request, type Response } from 'nozomi';
import { createServer, type Server } from 'nozomi/http2';
import { askHttp2, listening, open } from './support';

type App = ReturnType<typeof framework>;

const SERVERS: Readonly<Record<string, (app: App) => Server>> = {
  'http2.createServer(app)': (app) => http2.createServer(app as never),
  'nozomi/http2': (app) => createServer({ cleartext: true }, app),
};

type Use = (session: ClientHttp2Session, ask: () => Promise<string>) => Promise<void>;

/** Calls `use` with a session, and a function that sends `GET /` and returns the body. */
async function asking(server: Server, use: Use): Promise<void> {
  const session = http2.connect(`http://127.0.0.1:${await listening(server)}`);
  const ask = async (): Promise<string> => String((await askHttp2(session, { path: '/' })).body);
  try {
    await use(session, ask);
  } finally {
    session.destroy();
    server.close();
  }
}

/**
 * Like `asking`, but after two requests. From the second request on, this package creates the request and response
 * instead of Node.js.
 */
function adopted(server: Server, use: Use): Promise<void> {
  return asking(server, async (session, ask) => {
    await ask();
    await ask();
    await use(session, ask);
  });
}

function createApp(): App {
  const app = framework().set('env', 'test');
  app.get('/', (req, res) => void res.send(`${req instanceof IncomingMessage} ${req.app === app}`));
  return app;
}

for (const [how, serve] of Object.entries(SERVERS)) {
  const isOfNode = how !== 'nozomi/http2';

  describe(`HTTP/2, a server of ${how} after its first request`, () => {
    it('creates no objects of the compatibility API', async () => {
      let made = 0;
      Http2ServerRequest.prototype.on = function (this: Http2ServerRequest, ...args: unknown[]) {
        made++;
        return Reflect.apply(Readable.prototype.on, this, args);
      } as Http2ServerRequest['on'];
      try {
        const server = serve(createApp());
        await asking(server, async (_session, ask) => {
          expect(await ask()).to.equal('true true');
          if (isOfNode) expect(made).to.be.above(0);
          made = 0;
          expect(await ask()).to.equal('true true');
          expect(made).to.equal(0);
        });
      } finally {
        Reflect.deleteProperty(Http2ServerRequest.prototype, 'on');
      }
    });

    it('has the same keys and listeners as before the request', async () => {
      const server = serve(createApp());
      const before = ['request', 'stream'].map((event) => server.rawListeners(event));
      await adopted(server, async () => {
        expect(Object.keys(server)).to.not.include('emit');
        expect(['request', 'stream'].map((event) => server.rawListeners(event))).to.deep.equal(before);
      });
    });

    for (const side of ['in front of', 'behind'] as const) {
      it(`calls a listener ${side} the application until it is removed`, async () => {
        const server = serve(createApp());
        await adopted(server, async (_session, ask) => {
          const seen: object[] = [];
          const listener = (req: object): void => void seen.push(Object.getPrototypeOf(req));
          if (side === 'behind') server.on('request', listener);
          else server.prependListener('request', listener);
          expect(await ask()).to.equal('true true');
          const plain = isOfNode ? Http2ServerRequest : IncomingMessage;
          expect(seen).to.have.length(1);
          if (isOfNode || side === 'in front of') expect(seen).to.deep.equal([plain.prototype]);
          server.off('request', listener);
          expect(await ask()).to.equal('true true');
          expect(seen).to.have.length(1);
        });
      });
    }

    it('calls a listener for the event stream that is added later', async () => {
      const server = serve(createApp());
      await adopted(server, async (_session, ask) => {
        const seen: unknown[] = [];
        server.on('stream', (_stream, headers) => void seen.push(headers[':path']));
        expect(await ask()).to.equal('true true');
        expect(seen).to.deep.equal(['/']);
      });
    });

    it('calls the listener of the event request that replaces the application', async () => {
      const server = serve(createApp());
      await adopted(server, async (_session, ask) => {
        server.removeAllListeners('request');
        server.on('request', (_req: unknown, res: Http2ServerResponse) => void res.end('listener'));
        expect(await ask()).to.equal('listener');
        const next = createApp();
        server.removeAllListeners('request');
        server.on('request', next as never);
        expect([await ask(), await ask()]).to.deep.equal(['true true', 'true true']);
      });
    });

    it('passes every event, with the request and response of Node.js, to a wrapped or replaced server.emit', async () => {
      for (const isWrapped of [true, false]) {
        const server = serve(createApp());
        await adopted(server, async (_session, ask) => {
          const seen: string[] = [];
          const { emit } = server;
          server.emit = function (this: Server, event: string, ...args: unknown[]) {
            if (event === 'stream') seen.push(event);
            if (event === 'request') seen.push((args[0] as object).constructor.name);
            return Reflect.apply(isWrapped ? emit : EventEmitter.prototype.emit, this, [event, ...args]);
          } as typeof emit;
          expect(await ask()).to.equal('true true');
          expect(seen[0]).to.equal('stream');
          expect(seen.length).to.equal(2);
          if (isOfNode) expect(seen[1]).to.equal('Http2ServerRequest');
        });
      }
    });

    it('responds to Expect and CONNECT as Node.js does', async () => {
      const server = serve(createApp());
      await adopted(server, async (session) => {
        const expecting = open(session, { path: '/', headers: { expect: '100-continue' } });
        await once(expecting, 'continue');
        expecting.close();
        const odd = await askHttp2(session, { path: '/', headers: { expect: 'the best' } });
        expect(odd.status).to.equal(417);
        const connecting = session.request({ ':method': 'CONNECT', ':authority': 'a:1' });
        const [headers] = await once(connecting, 'response');
        expect(headers[':status']).to.equal(405);
        connecting.close();
      });
    });

    it('applies a member that is overridden during a request to the next request of the session', async () => {
      const app = framework().set('env', 'test');
      app.use((_req: Request, res: Response) => {
        const own = app.response as Response & { write: Response['write'] };
        own.end = function (this: Response, ...args: unknown[]) {
          this.setHeader('X-Overridden', 'yes');
          return Reflect.apply(Object.getPrototypeOf(own).end, this, args);
        } as Response['end'];
        res.send('sent');
      });
      const server = serve(app);
      await adopted(server, async (session) => {
        const { headers, body } = await askHttp2(session, { path: '/' });
        expect([headers['x-overridden'], String(body)]).to.deep.equal(['yes', 'sent']);
      });
    });
  });
}

describe('HTTP/2, a server with other classes or listeners', () => {
  it('creates requests of the option Http2ServerRequest', async () => {
    class OwnRequest extends Http2ServerRequest {
      own = 'own';
    }
    const app = framework();
    app.get('/', (req, res) => void res.send(String((req as unknown as { own?: string }).own)));
    const server = http2.createServer({ Http2ServerRequest: OwnRequest } as never, app as never);
    await adopted(server, async (_session, ask) => {
      expect(await ask()).to.equal('own');
      expect(Object.hasOwn(server, 'emit')).to.equal(false);
    });
  });

  it('gets no own emit if a function calls the application, or if its emit is not that of Node.js', async () => {
    const app = createApp();
    const call = app as unknown as (...args: unknown[]) => void;
    const wrapped = http2.createServer((req, res) => call(req, res));
    const sealed = http2.createServer(app as never);
    sealed.once('listening', () => Object.preventExtensions(sealed));
    const traced = http2.createServer(app as never);
    const inherited = Object.create(Object.getPrototypeOf(traced), {
      emit: { value: EventEmitter.prototype.emit.bind(traced) },
    });
    Object.setPrototypeOf(traced, inherited);
    for (const server of [wrapped, sealed, traced]) {
      await adopted(server, async (_session, ask) => {
        expect(await ask()).to.equal('true true');
        expect(Object.hasOwn(server, 'emit')).to.equal(false);
      });
    }
  });
});
