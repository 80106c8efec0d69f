/** The options `fields` and `redact` of the logger, and what its formats with keys say about clients that have left. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import framework from 'nozomi';
import { context } from 'nozomi/extras';
import logger from 'nozomi/logger';
import { serving } from '../support/serve';
import { Log } from './support/log';
import { get, open } from './support/serve';

const FORMATS = ['json', 'ecs', 'otel'] as const;
type Format = (typeof FORMATS)[number];
type Options = Pick<logger.Options<IncomingMessage, ServerResponse>, 'fields' | 'redact'>;

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PATH = '/users/7?token=t0p&%54oken=also&page=2&empty';

/** Sends one request. @returns The line, and its object. */
async function lineOf(
  format: Format,
  options: Options = {},
  headers: Record<string, string> = {},
): Promise<{ text: string; line: any }> {
  const log = new Log();
  const app = framework()
    .set('env', 'test')
    .use(logger(format, { ...options, stream: log }));
  app.get('/users/:id', (_req, res) => void res.send('hello'));
  await serving(app, async (port) => {
    await (await fetch(`http://127.0.0.1:${port}${PATH}`, { headers })).text();
    await log.until(1);
  });
  const [text = ''] = log.lines;
  return { text, line: JSON.parse(text) };
}

const recordOf = (line: any): any => line.resourceLogs[0].scopeLogs[0].logRecords[0];
const attributesOf = (line: any): Record<string, unknown> =>
  Object.fromEntries(recordOf(line).attributes.map(({ key, value }: any) => [key, value]));

describe('the formats of the logger with keys, clients that have left', () => {
  /** Sends a request and closes the connection, before or after the head of the response. */
  const leave = async (format: Format, path: string): Promise<any> => {
    const log = new Log();
    const app = framework().use(logger(format, { stream: log }));
    app.get('/begun', (_req, res) => void res.write('begun'));
    app.get('/waits', (req) => void req.socket.destroy());
    await serving(app, async (port) => {
      const socket = await open(port);
      socket.on('error', () => undefined).write(get(path));
      if (path === '/begun') await once(socket, 'data');
      socket.destroy();
      await log.until(1);
    });
    return JSON.parse(log.lines[0] as string);
  };

  for (const path of ['/begun', '/waits']) {
    it(`json: aborted is true for ${path}`, async () => {
      expect(await leave('json', path)).to.include({ aborted: true });
    });

    it(`ecs: the outcome is failure for ${path}`, async () => {
      const line = await leave('ecs', path);

      expect(line.event.outcome).to.equal('failure');
      expect(line).to.deep.include({ 'log.level': 'warn', error: { type: 'aborted' } });
      expect(line.message).to.match(/ aborted$/);
    });

    it(`otel: the error type is aborted for ${path}`, async () => {
      const line = await leave('otel', path);

      expect(recordOf(line)).to.include({ severityText: 'WARN', severityNumber: 13 });
      expect(attributesOf(line)['error.type']).to.deep.equal({ stringValue: 'aborted' });
    });
  }
});

describe('the formats of the logger with keys, addresses and ids', () => {
  it('ecs: client.ip is the address, if it is an IP address', async () => {
    expect((await lineOf('ecs')).line.client).to.deep.equal({ address: '127.0.0.1', ip: '127.0.0.1' });
    const hidden = await lineOf('ecs', { redact: ['remoteAddress'] });
    expect(hidden.line.client).to.deep.equal({ address: '[Redacted]' });
    expect((await lineOf('ecs', { redact: ['client.address'] })).text).to.not.include('127.0.0.1');
  });

  it('ecs: keeps the client of the application, and hides only its address', async () => {
    const own = { fields: () => ({ client: { ip: '10.0.0.9' } }), redact: ['client.address'] };
    expect((await lineOf('ecs', own)).line.client).to.deep.equal({ address: '[Redacted]', ip: '10.0.0.9' });
    const none = { fields: () => ({ client: null }) };
    expect((await lineOf('ecs', none)).line.client).to.equal(null);
  });

  it('json: traceId and spanId are those of context(), and missing without it', async () => {
    const log = new Log();
    const app = framework().use(context(), logger('json', { stream: log }), (_req, res) => void res.end());
    await serving(app, async (port) => {
      const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
      await (await fetch(`http://127.0.0.1:${port}/`, { headers })).text();
      await log.until(1);
    });
    const line = JSON.parse(log.lines[0] as string);

    expect(line.traceId).to.equal(TRACE);
    expect(line.spanId).to.match(/^[\da-f]{16}$/);
    expect((await lineOf('json')).line).to.not.have.any.keys('traceId', 'spanId');
  });
});

describe('the option fields of the logger', () => {
  const fields = (req: { params?: Record<string, string> }) => ({
    tenant: 'a"b\n',
    ratio: 0.5,
    count: 3,
    isTest: true,
    labels: { user: req.params?.id },
    none: undefined,
  });

  it('json: adds keys', async () => {
    const { line } = await lineOf('json', { fields: fields as never });
    expect(line).to.deep.include({ tenant: 'a"b\n', count: 3, labels: { user: '7' }, status: 200 });
  });

  it('ecs: adds keys, also to objects that exist', async () => {
    const { line } = await lineOf('ecs', { fields: fields as never });
    expect(line).to.deep.include({ tenant: 'a"b\n', labels: { route: '/users/:id', user: '7' } });
  });

  it('otel: adds attributes of their types', async () => {
    expect(attributesOf((await lineOf('otel', { fields: fields as never })).line)).to.deep.include({
      tenant: { stringValue: 'a"b\n' },
      ratio: { doubleValue: 0.5 },
      count: { intValue: '3' },
      isTest: { boolValue: true },
      labels: { stringValue: '{"user":"7"}' },
    });
  });

  it('may return nothing', async () => {
    for (const format of FORMATS)
      expect((await lineOf(format, { fields: () => undefined })).line).to.be.an('object');
  });
});

describe('the option redact of the logger', () => {
  for (const format of FORMATS) {
    it(`${format}: hides parameters of the query in each place, however their names are written`, async () => {
      const referrer = 'http://a.test/?TOKEN=ref3rrer';
      const { text } = await lineOf(format, { redact: ['query.token'] }, { Referer: referrer });

      expect(text).to.include('?token=[Redacted]&%54oken=[Redacted]&page=2&empty');
      expect(text).to.not.match(/t0p|also|ref3rrer/);
    });

    it(`${format}: hides own fields and known ones, without a change of the objects of the application`, async () => {
      const user = { email: 'a@b.test', name: 'Ann' };
      const { text } = await lineOf(
        format,
        {
          fields: () => (format === 'otel' ? { 'user.email': user.email } : { user }),
          redact: ['user.email', 'userAgent'],
        },
        { 'User-Agent': 'secret-agent' },
      );

      expect(text).to.not.match(/a@b\.test|secret-agent/);
      expect(text).to.include('[Redacted]');
      expect(user.email).to.equal('a@b.test');
    });

    it(`${format}: takes another text, or removes the values`, async () => {
      const paths = ['query.token', 'userAgent'];

      expect((await lineOf(format, { redact: { paths, censor: '***' } })).text).to.include('token=***&');
      const { text } = await lineOf(format, { redact: { paths, remove: true } }, { 'User-Agent': 'Zap9' });
      expect(text).to.not.match(/Redacted|Zap9|t0p/);
    });
  }

  for (const format of FORMATS)
    it(`${format}: writes a line whichever member is hidden or removed, and prints no undefined`, async () => {
      const { line } = await lineOf(format, {});
      const paths = [
        '*',
        '*.*',
        ...Object.keys(line),
        ...Object.keys(line).map((name) => `${name}.*`),
        'client',
        'url',
      ];
      for (const path of paths)
        for (const remove of [false, true]) {
          const { text } = await lineOf(format, { redact: { paths: [path], remove } });
          expect(text, path)
            .to.match(/^\{.*\}\n$/)
            .and.not.include('undefined');
        }
    });

  it('ecs and otel: keep level and outcome if the status is hidden', async () => {
    for (const remove of [false, true]) {
      const redact = { paths: ['status', 'time', 'aborted'], remove };
      const { line } = await lineOf('ecs', { redact });
      expect([line['log.level'], line.event.outcome]).to.deep.equal(['info', 'success']);
      const record = recordOf((await lineOf('otel', { redact })).line);
      expect(record.severityText).to.equal('INFO');
      expect(record.timeUnixNano).to.match(/^\d{19}$/);
    }
  });

  it('hides a key with a dot, all keys of an object, and values of lists', async () => {
    const { line } = await lineOf('ecs', {
      fields: () => ({ users: [{ key: 'k1' }, { key: 'k2' }] }),
      redact: ['log.level', 'url.*', 'users.*.key'],
    });

    expect(line['log.level']).to.equal('[Redacted]');
    expect(line.url).to.deep.equal({ original: '[Redacted]', path: '[Redacted]', query: '[Redacted]' });
    expect(line.users).to.deep.equal([{ key: '[Redacted]' }, { key: '[Redacted]' }]);
  });

  it('throws for a format without keys, which could not hide the values', () => {
    for (const format of ['combined', ':method', () => 'line'] as never[])
      expect(() => logger(format, { redact: ['url'] })).to.throw(TypeError, 'json, ecs or otel');
    expect(() => logger('combined', { fields: () => ({}) })).to.throw(TypeError, 'json, ecs or otel');
  });
});
