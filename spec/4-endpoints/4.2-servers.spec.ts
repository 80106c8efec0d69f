import diagnostics from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import http, { IncomingMessage, OutgoingMessage, type RequestListener, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Express, RequestHandler } from 'express';
import framework from 'nozomi';
import express4 from 'nozomi/4';
import { CERTIFICATE, KEY } from '../../parity/transports/certificate';
import { type Framework, IMPLEMENTATIONS } from '../support/both';
import { HOSTILE_CONNECTIONS, sendRaw } from '../support/connections';

const GET = 'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';

/** Two ways to create a server of Node.js for an application. */
const SERVERS: Readonly<Record<string, (app: Express) => http.Server>> = {
  'app.listen': (app) => app.listen(0, '127.0.0.1'),
  'http.createServer(app)': (app) => http.createServer(app).listen(0, '127.0.0.1'),
};

/** What a client and an application observe, for each framework. */
type Seen = Record<keyof typeof IMPLEMENTATIONS, unknown>;

/** @param act Called for each framework, with a function that starts a server, and a list for observations. */
async function seenOfBoth(
  serve: (app: Express) => http.Server,
  act: (framework: Framework, open: (app: Express) => Promise<http.Server>, seen: unknown[]) => Promise<void>,
): Promise<Seen> {
  const all: Partial<Seen> = {};
  for (const name of ['reference', 'build'] as const) {
    const seen: unknown[] = [];
    const servers: http.Server[] = [];
    const open = async (app: Express): Promise<http.Server> => {
      const server = serve(app);
      servers.push(server);
      await once(server, 'listening');
      return server;
    };
    try {
      await act(IMPLEMENTATIONS[name], open, seen);
    } finally {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    }
    all[name] = seen;
  }
  return all as Seen;
}

function prototypesOf({ request, response }: Express): { request: object; response: object } {
  return { request, response };
}

const inherits = (object: object, prototype: object): boolean =>
  Object.prototype.isPrototypeOf.call(prototype, object);

/**
 * @returns A word for the request and, if given, one for the response: `plain` for an object with the prototype of
 *   Node.js, otherwise whether it inherits from the prototype of `app`.
 */
function kindOf(app: Express, req: object, res?: object): string {
  const names = [
    Object.getPrototypeOf(req) === IncomingMessage.prototype
      ? 'plain'
      : inherits(req, prototypesOf(app).request),
    res &&
      (Object.getPrototypeOf(res) === ServerResponse.prototype
        ? 'plain'
        : inherits(res, prototypesOf(app).response)),
  ];
  return names.join(' ');
}

for (const [how, serve] of Object.entries(SERVERS)) {
  describe(`requests and responses of ${how}`, () => {
    const ok: RequestHandler = (_req, res) => {
      res.send('ok');
    };

    proves('F-4.2-59');
    it('are plain objects of Node.js for a listener before the application, also if it is added while the server runs', async () => {
      const { reference, build } = await seenOfBoth(serve, async (framework, open, seen) => {
        const app = framework();
        app.get('/', (req, res) => {
          res.json([req.query, kindOf(app, req, res)]);
        });
        const server = await open(app);
        seen.push(await sendRaw(server, GET));
        const listener = (req: IncomingMessage, res: ServerResponse): void => {
          seen.push(kindOf(app, req, res));
          Object.assign(req, { query: { mine: 1 } });
        };
        server.prependListener('request', listener);
        for (let i = 0; i < 2; i++) seen.push(await sendRaw(server, GET));
        server.removeListener('request', listener);
        seen.push(await sendRaw(server, GET));
      });

      expect(build).to.deep.equal(reference);
      expect(build).to.include('plain plain');
    });

    proves('F-4.2-59');
    it('have the prototypes of the application for a listener after the application', async () => {
      const { reference, build } = await seenOfBoth(serve, async (framework, open, seen) => {
        const app = framework();
        app.use(ok);
        const server = await open(app);
        seen.push(await sendRaw(server, GET));
        server.on('request', (req, res) => {
          seen.push(kindOf(app, req, res), res.headersSent);
        });
        for (let i = 0; i < 2; i++) seen.push(await sendRaw(server, GET));
      });

      expect(build).to.deep.equal(reference);
    });

    proves('F-4.2-59');
    it('are plain objects of Node.js for upgrade, connect, checkContinue, checkExpectation and dropRequest', async () => {
      const { reference, build } = await seenOfBoth(serve, async (framework, open, seen) => {
        const app = framework();
        app.use(ok);
        const server = await open(app);
        seen.push(await sendRaw(server, GET));
        for (const event of ['upgrade', 'connect'] as const) {
          server.on(event, (req, socket) => {
            seen.push(event, kindOf(app, req));
            socket.end('taken');
          });
        }
        for (const event of ['checkContinue', 'checkExpectation'] as const) {
          server.on(event, (req, res) => {
            seen.push(event, kindOf(app, req, res));
            res.end('checked');
          });
        }
        server.on('dropRequest', (req) => void seen.push('dropRequest', kindOf(app, req)));
        const { 'a tunnel that nobody makes': tunnel, 'an expectation that is not met': expectation } =
          HOSTILE_CONNECTIONS;
        const upgrade = 'GET / HTTP/1.1\r\nHost: h\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';
        const wait = 'GET / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n';
        for (const text of [upgrade, tunnel, expectation, wait]) seen.push(await sendRaw(server, `${text}`));
        server.maxRequestsPerSocket = 1;
        seen.push(await sendRaw(server, GET.replace('close', 'keep-alive') + GET));
      });

      expect(build).to.deep.equal(reference);
      expect(build).to.include.members(['upgrade', 'connect', 'checkContinue', 'checkExpectation']);
    });

    proves('F-4.1-01');
    it('do not call accessors on app.request for properties that Node.js assigns', async () => {
      for (const name of ['method', 'url', 'headers', 'socket', 'complete', 'aborted', 'rawHeaders', 'res']) {
        const { reference, build } = await seenOfBoth(serve, async (framework, open, seen) => {
          const app = framework();
          app.use((req, res) => {
            res.send([req.method, req.url, req.headers.host]);
          });
          const server = await open(app);
          seen.push(await sendRaw(server, GET));
          Object.defineProperty(app.request, name, {
            configurable: true,
            get: () => 'own',
            set: () => void seen.push(`assigned ${name}`),
          });
          for (let i = 0; i < 2; i++) seen.push(await sendRaw(server, GET));
        });

        expect(build, name).to.deep.equal(reference);
      }
    });

    proves('F-4.1-01');
    it('have the members that a mounted application gets while pipelined requests wait in it', async () => {
      const { reference, build } = await seenOfBoth(serve, async (framework, open, seen) => {
        const [app, sub] = [framework(), framework()];
        const waiting: Array<{ hi(): string; send(text: string): unknown }> = [];
        sub.get('/', (_req, res) => {
          if (waiting.push(res as never) < 3) return;
          Object.assign(sub.response, { hi: () => 'hi' });
          for (const one of waiting) one.send(one.hi());
        });
        app.use(sub);
        const keepAlive = GET.replace('Connection: close\r\n', '');
        seen.push(await sendRaw(await open(app), keepAlive + keepAlive + GET));
      });

      expect(build).to.deep.equal(reference);
      expect(String(build).match(/\r\n\r\nhi/g)).to.have.length(3);
    });

    proves('F-4.1-01');
    it('have the prototypes that the application replaces, freezes or extends during a request', async () => {
      const { reference, build } = await seenOfBoth(serve, async (framework, open, seen) => {
        const [app, middle, sub, late] = [framework(), framework(), framework(), framework()];
        const nameOf = (one: unknown): string =>
          ['app', 'middle', 'sub', 'late'][[app, middle, sub, late].indexOf(one as Express)] ?? '?';
        sub.request = Object.create(sub.request, { extra: { value: 1 } });
        sub.get('/', (req, res, next) => {
          seen.push([(req as never as { extra: number }).extra, nameOf(req.app), nameOf(res.app)]);
          next();
        });
        late.get('/', (req, res) => {
          Object.assign(late.response, { hi: () => 'hi' });
          seen.push((res as never as { hi(): string }).hi(), Object.getPrototypeOf(res) === late.response);
          res.send([nameOf(req.app), nameOf(res.app)]);
        });
        middle.use(sub);
        app.use(
          middle,
          (req, _res, next) => {
            seen.push(nameOf(req.app));
            next();
          },
          late,
        );
        const server = await open(app);
        for (let i = 0; i < 2; i++) seen.push(await sendRaw(server, GET));
        for (const prototype of Object.values(prototypesOf(app))) {
          Object.defineProperty(prototype, 'app', {
            configurable: true,
            get: () => app,
            set: () => void seen.push('set app'),
          });
        }
        seen.push(await sendRaw(server, GET));
        Object.freeze(app.request);
        Object.freeze(app.response);
        seen.push(await sendRaw(server, GET));
      });

      expect(build).to.deep.equal(reference);
    });

    for (const kind of ['request', 'response'] as const) {
      proves('F-4.1-01');
      it(`overridden members of app.${kind} run only after the application has received the request`, async function () {
        this.timeout(300_000);
        for (const member of membersOf(kind)) {
          const { reference, build } = await seenOfBoth(serve, async (framework, open, seen) => {
            const app = framework();
            app.set('env', 'test');
            app.post('/', framework.text({ type: '*/*' }));
            app.use(ok);
            const server = await open(app);
            await sendRaw(server, GET);
            override(app, kind, member);
            const actual = Object.entries(HOSTILE_CONNECTIONS).map(async ([name, text]) => [
              name,
              await sendRaw(server, text),
            ]);
            seen.push(...(await Promise.all(actual)));
          });

          expect(build, member).to.deep.equal(reference);
        }
      });
    }

    proves('F-4.1-01');
    it('members that an earlier request on the connection overrode do not run before the application', async () => {
      const { reference, build } = await seenOfBoth(serve, async (framework, open, seen) => {
        for (const member of ['on', 'assignSocket', 'emit', 'end', 'setHeader']) {
          const app = framework();
          app.use((_req, res) => {
            override(app, 'response', member);
            res.send(member);
          });
          const server = await open(app);
          seen.push(await sendRaw(server, GET.replace('close', 'keep-alive').repeat(2) + GET));
        }
      });

      expect(build).to.deep.equal(reference);
    });

    proves('F-4.2-59');
    it('belong to the new application after the listener of the server was replaced', async () => {
      const { reference, build } = await seenOfBoth(serve, async (framework, open, seen) => {
        const apps = [framework(), framework()] as const;
        for (const [index, app] of apps.entries()) {
          app.use((req, res) => {
            res.send([index, req.app === app, kindOf(app, req, res)]);
          });
        }
        const server = await open(apps[0]);
        for (const index of [0, 1, 1, 1, 0, 0, 1] as const) {
          server.removeAllListeners('request');
          server.on('request', apps[index]);
          seen.push(await sendRaw(server, GET), await sendRaw(server, GET));
        }
      });

      expect(build).to.deep.equal(reference);
    });

    proves('F-4.2-59');
    it('have the prototypes of Express if code wraps, replaces or freezes server.emit', async () => {
      const { reference, build } = await seenOfBoth(serve, async (framework, open, seen) => {
        for (const change of ['wrap', 'replace', 'prevent extensions']) {
          const app = framework();
          app.use(ok);
          const server = await open(app);
          if (change === 'replace') seen.push(await sendRaw(server, GET));
          const { emit } = server;
          if (change === 'prevent extensions') Object.preventExtensions(server);
          else
            server.emit = function (this: http.Server, event: string, ...args: unknown[]) {
              if (event === 'request') seen.push(kindOf(app, args[0] as object, args[1] as object));
              const way = change === 'wrap' ? emit : http.Server.prototype.emit;
              return Reflect.apply(way, this, [event, ...args]);
            } as typeof emit;
          for (let i = 0; i < 2; i++) seen.push(await sendRaw(server, GET));
        }
      });

      expect(build).to.deep.equal(reference);
    });
  });
}

describe('requests and responses of https.createServer(options, app)', () => {
  proves('F-4.1-01');
  it('have the members that a mounted application adds to its prototypes during a request', async () => {
    const [app, sub] = [IMPLEMENTATIONS.build(), IMPLEMENTATIONS.build()];
    sub.get('/', (_req, res) => {
      Object.assign(prototypesOf(sub).response, { hi: () => 'hi' });
      res.send((res as unknown as { hi(): string }).hi());
    });
    app.use('/sub', sub);
    const server = https.createServer({ key: KEY, cert: CERTIFICATE }, app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;

    const [res] = await once(https.get({ port, path: '/sub', rejectUnauthorized: false }), 'response');
    const body = await text(res);
    server.close();

    expect(body).to.equal('hi');
  });
});

describe('a server of an application without changes to its prototypes', () => {
  // Otherwise each request needs several times the CPU time, because its prototype changes.
  for (const [name, create] of Object.entries({ nozomi: framework, 'nozomi/4': express4 })) {
    proves('F-4.2-58');
    it(`creates requests and responses with these prototypes, on an own server from the second request on (${name})`, async () => {
      for (const own of [false, true]) {
        const app = create() as unknown as RequestListener;
        const created: boolean[] = [];
        const onStart = (message: unknown): void => {
          const { request, response } = message as { request: object; response: object };
          created.push('app' in request && 'app' in response);
        };
        const server = own ? http.createServer(app).listen(0) : (app as never as Express).listen(0);
        await once(server, 'listening');
        diagnostics.subscribe('http.server.request.start', onStart);
        for (let i = 0; i < 2; i++) await sendRaw(server, GET);
        diagnostics.unsubscribe('http.server.request.start', onStart);
        server.close();
        expect(created).to.deep.equal([!own, true]);
      }
    });
  }
});

/** @returns The names of Node.js's methods for a request or a response. */
function membersOf(kind: 'request' | 'response'): string[] {
  const ends: object[] = kind === 'request' ? [IncomingMessage, Readable] : [ServerResponse, OutgoingMessage];
  const names = [...ends, EventEmitter].flatMap((one) => {
    const { prototype } = one as { prototype: object };
    return Object.entries(Object.getOwnPropertyDescriptors(prototype));
  });
  const methods = names.filter(([, { value }]) => typeof value === 'function').map(([name]) => name);
  return [...new Set(methods)].filter((name) => name !== 'constructor');
}

/** Overrides a method. The new one throws if Node.js calls it before the application has received the request. */
function override(app: Express, kind: 'request' | 'response', member: string): void {
  const { [kind]: prototype } = app as never as Record<
    string,
    Record<string, (...args: unknown[]) => unknown>
  >;
  const { [member]: own } = prototype as Record<string, (...args: unknown[]) => unknown>;
  Object.assign(prototype as object, {
    [member](this: { app: Express; locals?: object; res?: { locals: object } }, ...args: unknown[]) {
      const { locals } = (kind === 'request' ? this.res : this) as { locals: Record<string, unknown> };
      locals.seen = this.app.settings.env;
      return own?.apply(this, args);
    },
  });
}
