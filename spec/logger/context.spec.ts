/** `context` of `nozomi/extras`: request ids, W3C trace context and AsyncLocalStorage. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type OutgoingHttpHeaders, request as send } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import multer from 'multer';
import framework from 'nozomi';
import framework4 from 'nozomi/4';
import { type ContextOptions, context, getContext, type RequestContext } from 'nozomi/extras';
import { toFetch } from 'nozomi/fetch';
import logger from 'nozomi/logger';
import request from 'supertest';
import { filesOf } from '../support/files';
import { serving } from '../support/serve';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const VALID = `00-${TRACE}-${SPAN}-01`;

/** Sends one request. @returns The context that the handler got. */
async function contextFor(headers: OutgoingHttpHeaders, options?: ContextOptions): Promise<RequestContext> {
  const app = framework().use(context(options));
  app.get('/', (_req, res) => void res.json(getContext()));
  return serving(app, async (port) => {
    const sent = send({ port, host: '127.0.0.1', headers, agent: false }).end();
    const [res] = await once(sent, 'response');
    const body = JSON.parse(Buffer.concat(await res.toArray()).toString());
    expect(res.headers['x-request-id']).to.equal(body.id);
    return body;
  });
}

describe('context, ids', () => {
  it('creates a request id and a trace', async () => {
    const [one, two] = [await contextFor({}), await contextFor({})];
    expect(one.id).to.match(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(one.traceparent).to.equal(`00-${one.traceId}-${one.spanId}-00`);
    expect(one).to.not.have.any.keys('parentId', 'tracestate');
    expect(two.traceId).to.not.equal(one.traceId);
    expect(two.id).to.not.equal(one.id);
  });

  it('continues the trace of the client with a span of its own', async () => {
    const seen = await contextFor({ traceparent: VALID, tracestate: 'a=1,b=2' });
    expect([seen.traceId, seen.parentId, seen.tracestate]).to.deep.equal([TRACE, SPAN, 'a=1,b=2']);
    expect(seen.spanId).to.not.equal(SPAN);
    expect(seen.traceparent).to.equal(`00-${TRACE}-${seen.spanId}-01`);
  });

  it('understands later versions of traceparent, and passes on only the flag it knows', async () => {
    expect((await contextFor({ traceparent: `cc-${TRACE}-${SPAN}-ff-more` })).traceparent).to.match(
      new RegExp(`^00-${TRACE}-[\\da-f]{16}-01$`),
    );
  });

  it('begins a new trace for a traceparent that is invalid or sent twice', async () => {
    for (const traceparent of [
      '',
      'x',
      `ff-${TRACE}-${SPAN}-01`,
      `00-${'0'.repeat(32)}-${SPAN}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `${VALID}-more`,
      `cc${VALID.slice(2)}more`,
      `${VALID},${VALID}`,
      `cc${VALID.slice(2)}-x, ${VALID}`,
      [VALID, VALID],
    ]) {
      const seen = await contextFor({ traceparent, tracestate: 'a=1' });
      expect(seen.traceId, String(traceparent))
        .to.match(/^[\da-f]{32}$/)
        .and.not.equal(TRACE);
      expect(seen).to.not.have.any.keys('tracestate', 'parentId');
    }
    expect((await contextFor({ traceparent: VALID }, { traceparent: false })).traceId).to.not.equal(TRACE);
  });

  it('drops a tracestate of more than 512 characters', async () => {
    const tracestate = `a=${'x'.repeat(511)}`;
    expect(await contextFor({ traceparent: VALID, tracestate })).to.not.have.property('tracestate');
  });

  it('takes the request id of a header only if the option names it, and only if it is safe to log', async () => {
    const headers = { 'X-Request-Id': 'of-the-proxy' };
    const options = { requestIdHeader: 'X-Request-Id' };
    expect((await contextFor(headers)).id).to.not.equal('of-the-proxy');
    expect((await contextFor(headers, options)).id).to.equal('of-the-proxy');
    for (const unsafe of ['', 'a b', 'a"b', 'x'.repeat(129), 'a\xe9', 'a,b', ['a', 'b']])
      expect((await contextFor({ 'X-Request-Id': unsafe }, options)).id).to.have.property('length', 36);
    expect((await contextFor({}, { genReqId: () => 'mine' })).id).to.equal('mine');
    expect(() => context({ requestIdHeader: true as never })).to.throw(TypeError, 'requestIdHeader');
  });

  it('gives a valid context for any headers', async () => {
    const app = framework().use(context({ requestIdHeader: 'X-Request-Id' }));
    app.get('/', (_req, res) => void res.json(getContext()));
    const fetched = toFetch(app);
    const text = fc.string({ unit: fc.constantFrom(...'0123456789abcdef-,; \t"é=') });
    await fc.assert(
      fc.asyncProperty(text, text, text, async (traceparent, tracestate, id) => {
        const response = await fetched('http://a/', {
          headers: { traceparent, tracestate, 'X-Request-Id': id },
        });
        const seen = (await response.json()) as RequestContext;
        expect(seen.traceparent).to.match(/^00-[\da-f]{32}-[\da-f]{16}-0[01]$/);
        expect(seen.id).to.match(/^[\w.:/+=@-]{1,128}$/);
      }),
    );
  });
});

for (const [name, make] of Object.entries({
  nozomi: framework,
  'nozomi/4': framework4 as unknown as typeof framework,
}))
  describe(`context, AsyncLocalStorage, ${name}`, () => {
    const root = filesOf({ 'a.txt': 'text' });
    writeFileSync(join(root, 'v.html'), 'view');

    /** The routes, each of which reports the id that it sees. */
    const build = (seen: (string | undefined)[]) => {
      const note = (): void => void seen.push(getContext()?.id);
      const app = make()
        .set('env', 'test')
        .set('views', root)
        .engine('html', (_path, _options, done) => setImmediate(done, null, 'view'));
      app.use(context({ genReqId: (req) => String(req.headers['x-own']) }));
      app.post('/json', make.json({ verify: note }), (_req, res) => (note(), void res.end()));
      app.post('/text', make.text(), (_req, res) => (note(), void res.end()));
      app.post('/raw', make.raw({ type: '*/*' }), (_req, res) => (note(), void res.end()));
      app.post('/form', make.urlencoded({ extended: true }), (_req, res) => (note(), void res.end()));
      app.post('/upload', multer().any(), (_req, res) => (note(), void res.end()));
      app.use('/static', make.static(root, { setHeaders: note }));
      app.get('/file', (_req, res) => res.sendFile('a.txt', { root }, note));
      app.get('/missing', (_req, res) => res.sendFile('none', { root }, () => (note(), void res.end())));
      app.get('/view', (_req, res) => res.render('v.html', (_err: unknown) => (note(), void res.end())));
      app.get('/later', async (_req, res) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        note();
        res.end();
      });
      app.get('/error', (_req, _res, next) => setImmediate(() => next(new Error('wrong'))));
      app.use(
        ((_err: unknown, _req: never, res: framework.Response, _next: never) => (note(), res.end())) as never,
      );
      return app;
    };

    it('keeps the context in parsers, files, views and error handlers, for requests at the same time', async () => {
      const seen: (string | undefined)[] = [];
      await serving(build(seen), async (port) => {
        const base = `http://127.0.0.1:${port}`;
        const form = new FormData();
        form.set('a', 'b');
        const bodies: Record<string, RequestInit> = {
          '/json': { method: 'POST', body: '{"a":1}', headers: { 'Content-Type': 'application/json' } },
          '/text': { method: 'POST', body: 'a', headers: { 'Content-Type': 'text/plain' } },
          '/raw': { method: 'POST', body: 'a' },
          '/form': { method: 'POST', body: new URLSearchParams('a=b') },
          '/upload': { method: 'POST', body: form },
        };
        const others = ['/static/a.txt', '/file', '/missing', '/view', '/later', '/error'];
        for (const path of [...Object.keys(bodies), ...others]) {
          seen.length = 0;
          const ids = ['one', 'two', 'three'].map((id) => `${path}-${id}`);
          await Promise.all(
            ids.map(async (id) => {
              const { headers, ...init } = bodies[path] ?? {};
              await (await fetch(base + path, { ...init, headers: { ...headers, 'X-Own': id } })).text();
            }),
          );
          expect(new Set(seen), path).to.deep.equal(new Set(ids));
          expect(seen.length % 3, path).to.equal(0);
        }
      });
      expect(getContext()).to.equal(undefined);
    });
  });

describe('context, logger', () => {
  it('has the tokens :id, :trace-id and :span-id, and - without the middleware', async () => {
    const lines: string[] = [];
    const format = logger(':id :trace-id :span-id', { stream: { write: (line) => void lines.push(line) } });
    const app = framework().use(format, context({ genReqId: () => 'the-id' }));
    await request(app).get('/').set('traceparent', VALID);
    await request(framework().use(format)).get('/');
    expect(lines[0]).to.match(new RegExp(`^the-id ${TRACE} [\\da-f]{16}\n$`));
    expect(lines[1]).to.equal('- - -\n');
  });
});
