import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { ErrorRequestHandler, Response } from 'express';
import { get, type HeaderRecord, head } from '../../parity/client/request';
import { type Framework, IMPLEMENTATIONS, play } from '../support/both';

const FILES = join(__dirname, '../../fixtures/files');
const FILE = join(FILES, 'hello.txt');

/** Methods of a response, of Express and of Node.js, that an application may override. */
// biome-ignore format: a table
const MEMBERS = [
  'status', 'links', 'send', 'json', 'jsonp', 'sendStatus', 'sendFile', 'download', 'type',
  'contentType', 'format', 'attachment', 'append', 'set', 'header', 'get', 'clearCookie', 'cookie',
  'location', 'redirect',
  'vary', 'render', 'setHeader', 'getHeader', 'removeHeader', 'hasHeader', 'writeHead', 'write', 'end',
  'appendHeader',
] as const;

type Act = (res: Response) => unknown;

const ACTS: Readonly<Record<string, Act>> = {
  'send of text': (res) => res.send('text'),
  'send of long text': (res) => res.send('x'.repeat(2000)),
  'send of typed text': (res) => res.type('text').send('text'),
  'send of bytes': (res) => res.send(Buffer.from('bytes')),
  'send of a typed array': (res) => res.send(new Uint8Array([1, 2])),
  'send of an object': (res) => res.send({ a: 1 }),
  'send of a number': (res) => res.send(7),
  'send of null': (res) => res.send(null),
  'send of nothing': (res) => res.send(),
  'send with 204': (res) => res.status(204).send('text'),
  'send with 205': (res) => res.status(205).send('text'),
  'send with 304': (res) => res.status(304).send('text'),
  'send in chunks': (res) => res.set('Transfer-Encoding', 'chunked').send('text'),
  'send with an ETag': (res) => res.set('ETag', '"own"').send('text'),
  json: (res) => res.json({ a: 1 }),
  'json of nothing': (res) => res.json(undefined),
  'json with a type': (res) => res.type('text/x').json({ a: 1 }),
  jsonp: (res) => res.jsonp({ a: 1 }),
  sendStatus: (res) => res.sendStatus(404),
  'sendStatus of an unknown code': (res) => res.sendStatus(799),
  'set of one': (res) => res.set('X-A', '1').end(),
  'set of undefined': (res) => res.set('X-A', undefined).end(),
  'set of several': (res) => res.set({ 'X-A': '1', 'Content-Type': 'text/x' }).end(),
  'header of a list': (res) => res.header('X-A', ['1', '2']).end(),
  append: (res) => res.append('X-A', '1').append('X-A', ['2']).end(),
  type: (res) => res.type('html').contentType('a/b').end(),
  links: (res) =>
    res
      .links({ next: '/2', all: ['/1', '/2'] })
      .links({ last: '/5' })
      .end(),
  vary: (res) => res.vary('Accept').vary('Origin').end(),
  attachment: (res) => res.attachment().attachment('a.png').end(),
  cookie: (res) =>
    res
      .cookie('a', '1')
      .cookie('b', { c: 1 }, { expires: new Date(0) })
      .end(),
  clearCookie: (res) => res.clearCookie('a', { path: '/x' }).end(),
  location: (res) => res.location('/a b').end(),
  redirect: (res) => res.redirect('/x'),
  'redirect with a status': (res) => res.redirect(301, '/x'),
  format: (res) => res.format({ html: () => res.send('html'), json: () => res.json('json') }),
  'format by default': (res) => res.format({ default: () => res.end() }),
  sendFile: (res) => res.sendFile(FILE),
  'sendFile with fields': (res) => res.sendFile(FILE, { headers: { 'X-A': '1' } }),
  'sendFile of what is missing': (res) => res.sendFile('missing', { root: FILES }),
  download: (res) => res.download(FILE),
  'download under a name': (res) => res.download(FILE, 'a.html', { maxAge: 1000 }),
  render: (res) => res.render('view', { a: 1 }),
  'a piped stream': (res) => Readable.from(['part', 'last']).pipe(res),
  'an error': (res) => {
    res.write('begun');
    throw new Error('late');
  },
};

const REQUESTS: Readonly<Record<string, HeaderRecord | undefined>> = {
  'a plain request': {},
  'a request for HTML': { Accept: 'text/html' },
  'a conditional request': { 'If-None-Match': '*', 'If-Modified-Since': 'Thu, 01 Jan 2099 00:00:00 GMT' },
  'a request for a range': { Range: 'bytes=0-9' },
  'a request with a callback': {},
};

/** Responses that the final handler sends. */
const FINAL: Readonly<Record<string, Act>> = {
  'no response': (res) => res.req.next?.(),
  'an error with a status': () => {
    throw Object.assign(new Error('unavailable'), { status: 503, stack: 'no stack' });
  },
};

describe('calls of overridden members of the response', () => {
  for (const [name, act] of Object.entries(ACTS)) {
    proves('F-4.5-98');
    it(`${name} makes the same calls with the same arguments as in Express, in the same order`, async () => {
      for (const asked of Object.keys(REQUESTS)) {
        const { reference, build } = await callsOf(act, asked);

        expect(build, asked).to.deep.equal(reference);
        expect(build.length, asked).to.be.above(1);
      }
    });
  }

  for (const [name, act] of Object.entries(FINAL)) {
    proves('F-4.5-98');
    it(`the page of the final handler for ${name} makes the same calls as in Express`, async () => {
      const callsOfPage = (framework: Framework) => callsAt('res', framework, act, 'a plain request', false);
      const build = await callsOfPage(IMPLEMENTATIONS.build);

      expect(build).to.deep.equal(await callsOfPage(IMPLEMENTATIONS.reference));
      expect(build.length).to.be.above(1);
    });
  }

  for (const level of ['framework.response', 'app.response'] as const) {
    it(`members of ${level} that an application overrides are called at every use`, async () => {
      const act: Act = (res) => res.status(201).json({ a: 1 });

      expect(await callsAt(level, IMPLEMENTATIONS.build, act)).to.deep.equal(
        await callsAt(level, IMPLEMENTATIONS.reference, act),
      );
    });
  }

  it('methods return the result of the overridden members that they call, as in Express', async () => {
    const responses = async (framework: Framework) => {
      const app = framework();
      const told = {};
      for (const name of ['set', 'append', 'cookie', 'send', 'sendFile', 'status'] as const) {
        Object.assign(app.response, { [name]: () => told });
      }
      const seen: Record<string, string> = {};
      app.get('/', (_req, res) => {
        const calls: Readonly<Record<string, () => unknown>> = {
          type: () => res.type('html'),
          links: () => res.links({}),
          append: () => framework.response.append.call(res, 'X-A', '1'),
          attachment: () => res.attachment('a.txt'),
          cookie: () => framework.response.cookie.call(res, 'a', '1'),
          clearCookie: () => res.clearCookie('a'),
          location: () => res.location('/'),
          vary: () => res.vary('Accept'),
          json: () => res.json(1),
          jsonp: () => res.jsonp(1),
          sendStatus: () => res.sendStatus(200),
          download: () => res.download(FILE),
        };
        for (const [name, call] of Object.entries(calls)) {
          const response = call();
          seen[name] = response === told ? 'told' : response === res ? 'res' : String(response);
        }
        res.end();
      });
      await play(app, [get('/')]);
      return seen;
    };

    const build = await responses(IMPLEMENTATIONS.build);

    expect(build).to.deep.equal(await responses(IMPLEMENTATIONS.reference));
    expect(build).to.include({ type: 'told', attachment: 'res', cookie: 'res', clearCookie: 'told' });
  });

  it('members of framework.response are enumerable and have as many parameters as in Express', () => {
    const membersOf = ({ response }: Framework) =>
      Object.entries(response as object).map(
        ([name, member]) => `${name}/${(member as { length: number }).length}`,
      );

    expect(membersOf(IMPLEMENTATIONS.build).sort()).to.deep.equal(
      membersOf(IMPLEMENTATIONS.reference).sort(),
    );
    const { response } = IMPLEMENTATIONS.build;
    expect(response.set).to.equal(response.header);
    expect(response.type).to.equal(response.contentType);
  });
});

async function callsOf(act: Act, asked: string) {
  return {
    reference: await callsAt('res', IMPLEMENTATIONS.reference, act, asked),
    build: await callsAt('res', IMPLEMENTATIONS.build, act, asked),
  };
}

/**
 * @param handlesErrors Whether the application has an error handler; if not, the final handler responds.
 * @returns The calls of `MEMBERS`, of the view and of the error handler: one line each, indented by depth.
 */
async function callsAt(
  level: 'res' | 'app.response' | 'framework.response',
  framework: Framework,
  act: Act,
  asked = 'a plain request',
  handlesErrors = true,
): Promise<string[]> {
  const calls: string[] = [];
  const app = framework().set('env', 'test');
  app.set(
    'view',
    class {
      readonly path = 'view';
      render(options: object, done: (err: null, html: string) => void): void {
        calls.push(`view ${Object.keys(options)}`);
        done(null, 'html');
      }
    },
  );
  const own = level === 'framework.response' ? framework.response : app.response;
  const restore = level === 'res' ? undefined : record(own, calls);
  app.use((_req, res, next) => {
    if (level === 'res') record(res, calls);
    next();
  });
  app.get('/', (_req, res) => void act(res));
  const tell: ErrorRequestHandler = (err, _req, res, _next) => {
    calls.push(`next ${err.message}`);
    res.statusCode = 500;
    res.end();
  };
  if (handlesErrors) app.use(tell);
  const target = asked === 'a request with a callback' ? '/?callback=go' : '/';
  try {
    await play(app, [get(target, REQUESTS[asked]), head(target, REQUESTS[asked])]);
  } finally {
    restore?.();
  }
  return calls;
}

/** Overrides `MEMBERS` of a response, to record their calls. @returns A function that restores the members. */
function record(res: object, calls: string[]): () => void {
  const former = Object.getOwnPropertyDescriptors(res);
  let depth = 0;
  for (const name of MEMBERS) {
    const member = (res as Record<string, (...args: unknown[]) => unknown>)[name];
    if (!member) throw new TypeError(`no member ${name}`);
    Object.assign(res, {
      [name](this: unknown, ...args: unknown[]) {
        calls.push(`${'  '.repeat(depth)}${name}(${args.map(describeArgument)})`);
        depth++;
        try {
          return member.apply(this, args);
        } finally {
          depth--;
        }
      },
    });
  }
  return () => {
    for (const name of MEMBERS) delete (res as Record<string, unknown>)[name];
    Object.defineProperties(res, former);
  };
}

function describeArgument(value: unknown): string {
  if (Buffer.isBuffer(value)) return `Buffer ${value.toString('latin1')}`;
  if (typeof value === 'function') return `function/${value.length}`;
  if (typeof value !== 'object' || value === null) return `${typeof value} ${String(value)}`;
  const named = Object.entries(value).map(([name, each]) => {
    const isCompared = typeof each !== 'object' && typeof each !== 'function';
    return `${name}: ${isCompared ? String(each) : typeof each}`;
  });
  return `${Array.isArray(value) ? 'list' : 'object'} {${named}}`;
}
