/** The formats `ecs` and `otel` of the logger, and a file that is rotated, with sonic-boom. */
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import framework from 'nozomi';
import { context } from 'nozomi/extras';
import logger from 'nozomi/logger';
import { filesOf } from '../support/files';
import { close, portOf, serverOf, serving } from '../support/serve';
import { until } from '../support/until';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const HEADERS = {
  'User-Agent': 'spec',
  Referer: 'http://a/',
  traceparent: `00-${TRACE}-b7ad6b7169203331-01`,
};

/** Sends one request. @returns The line that the logger wrote, parsed. */
async function lineOf(
  format: 'ecs' | 'otel',
  path: string,
  headers: Record<string, string> = HEADERS,
): Promise<any> {
  const lines: string[] = [];
  const app = framework().set('env', 'test');
  app.use(logger(format, { stream: { write: (line) => void lines.push(line) } }));
  app.use(context({ genReqId: () => 'the-id' }));
  app.get('/users/:id', (_req, res) => void res.send('hello'));
  app.get('/fails', () => {
    throw new Error('wrong');
  });
  await serving(app, async (port) => {
    await (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).text();
    await until(() => lines.length > 0, 'a line');
  });
  expect(lines[0]).to.match(/^[^\n]+\n$/);
  return JSON.parse(lines[0] as string);
}

/** The attributes of OTLP as an object. */
const plain = (attributes: { key: string; value: object }[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

describe('the format ecs of the logger', () => {
  it('has the members of the Elastic Common Schema', async () => {
    const line = await lineOf('ecs', '/users/7?a=b?c');
    expect(Object.keys(line).slice(0, 4)).to.deep.equal([
      '@timestamp',
      'log.level',
      'message',
      'ecs.version',
    ]);
    expect(new Date(line['@timestamp']).toISOString()).to.equal(line['@timestamp']);
    expect(line).to.deep.include({
      'log.level': 'info',
      message: 'GET /users/7?a=b?c 200',
      url: { original: '/users/7?a=b?c', path: '/users/7', query: 'a=b?c' },
      client: { address: '127.0.0.1', ip: '127.0.0.1' },
      user_agent: { original: 'spec' },
      labels: { route: '/users/:id' },
      trace: { id: TRACE },
    });
    expect(line.http.request).to.deep.equal({ id: 'the-id', method: 'GET', referrer: 'http://a/' });
    expect(line.http.version).to.equal('1.1');
    expect(line.http.response.status_code).to.equal(200);
    expect(line.http.response.bytes).to.be.above(100);
    expect(line.event).to.deep.include({ category: ['web'], type: ['access'], outcome: 'success' });
    // Nanoseconds: more than a microsecond, less than ten seconds.
    expect(line.event.duration).to.be.within(1e3, 1e10).and.satisfy(Number.isInteger);
    expect(line.span.id).to.match(/^[\da-f]{16}$/);
  });

  it('has the level of the status', async () => {
    expect(await lineOf('ecs', '/none')).to.deep.include({ 'log.level': 'warn' });
    expect(await lineOf('ecs', '/fails')).to.deep.include({ 'log.level': 'error' });
  });
});

describe('the format otel of the logger', () => {
  it('is OTLP in JSON with the semantic conventions', async () => {
    const line = await lineOf('otel', '/users/7?a=b');
    const [{ resource, scopeLogs }] = line.resourceLogs;
    expect(plain(resource.attributes)).to.deep.equal({ 'service.name': 'unknown_service:node' });
    const [record] = scopeLogs[0].logRecords;
    expect(record).to.deep.include({
      severityNumber: 9,
      severityText: 'INFO',
      body: { stringValue: 'GET /users/7?a=b 200' },
      traceId: TRACE,
    });
    expect(record.timeUnixNano).to.match(/^\d{19}$/);
    expect(record.spanId).to.match(/^[\da-f]{16}$/);
    expect(plain(record.attributes)).to.deep.include({
      'http.request.method': 'GET',
      'http.response.status_code': '200',
      'http.route': '/users/:id',
      'url.path': '/users/7',
      'url.query': 'a=b',
      'user_agent.original': 'spec',
      'request.id': 'the-id',
    });
    expect(plain(record.attributes)['http.server.request.duration']).to.be.within(1e-6, 10);
  });

  it('has the severity of the status', async () => {
    for (const [path, severityNumber] of [
      ['/none', 13],
      ['/fails', 17],
    ] as const)
      expect((await lineOf('otel', path)).resourceLogs[0].scopeLogs[0].logRecords[0]).to.include({
        severityNumber,
      });
  });
});

for (const format of ['ecs', 'otel'] as const)
  describe(`the format ${format} of the logger, hostile requests`, () => {
    it('stays one line of JSON, and one object in object mode, for any values and for aborted requests', async () => {
      const lines: string[] = [];
      const objects: object[] = [];
      const stream = new Writable({
        objectMode: true,
        write: (chunk, _encoding, done) => (objects.push(chunk), done()),
      });
      const [text, object] = [
        logger(format, { stream: { write: (line) => void lines.push(line) } }),
        logger(format, { stream }),
      ];
      const listener: RequestListener = (req, res) =>
        text(req, res, () => object(req, res, () => void (req.url === '/hang' || res.end())));
      const server = await serverOf(createServer(listener));
      const hostile = [
        'GET /a HTTP/1.1\r\nHost: a\r\nUser-Agent: "\\\x80\x85\xff\r\n\r\n',
        'GET /"},{"x":" HTTP/1.1\r\nHost: a\r\nReferer: __proto__\r\nX-Request-Id: {}\r\n\r\n',
        'GET /hang HTTP/1.1\r\nHost: a\r\n\r\n',
      ];
      for (const [i, bytes] of hostile.entries()) {
        const socket = connect(portOf(server), '127.0.0.1').on('error', () => undefined);
        await once(socket, 'connect');
        socket.write(bytes, 'latin1');
        if (i === 2) setImmediate(() => socket.destroy());
        await until(() => lines.length > i && objects.length > i, 'a line');
        socket.destroy();
      }
      await close(server);
      for (const line of lines) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: no line may contain them.
        expect(line).to.not.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]|\n./);
        expect(JSON.parse(line)).to.be.an('object');
      }
      for (const one of objects) expect(one).to.be.an('object');
    });
  });

describe('docs/logging.md, a log file with sonic-boom', () => {
  const SonicBoom = createRequire(__filename)('sonic-boom');

  it('is reopened after it was renamed, and no line is lost', async () => {
    const file = join(filesOf({}), 'access.log');
    const stream = new SonicBoom({ dest: file, sync: false });
    await once(stream, 'ready');
    const app = framework().use(logger(':url', { stream }), (_req, res) => void res.end());
    await serving(app, async (port) => {
      const ask = async (path: string) =>
        void (await (await fetch(`http://127.0.0.1:${port}${path}`)).text());
      for (let i = 0; i < 20; i++) await ask(`/${i}`);
      renameSync(file, `${file}.1`);
      stream.reopen();
      for (let i = 20; i < 40; i++) await ask(`/${i}`);
      const read = (name: string) => (existsSync(name) ? readFileSync(name, 'utf8') : '');
      await until(() => (read(`${file}.1`) + read(file)).split('\n').length === 41, 'all lines');
      expect(read(file)).to.include('/39\n');
    });
    stream.end();
    await once(stream, 'close');
  });

  it('drops and counts lines above maxLength', async () => {
    const stream = new SonicBoom({
      dest: join(filesOf({}), 'access.log'),
      minLength: 4096,
      maxLength: 100,
      sync: false,
    });
    let dropped = 0;
    stream.on('drop', () => dropped++);
    await once(stream, 'ready');
    for (let i = 0; i < 50; i++) stream.write('0123456789\n');
    expect(dropped).to.equal(41);
    stream.end();
    await once(stream, 'close');
  });
});
