import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { Agent, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import framework from 'nozomi';
import { filesOf } from '../support/files';
import { askBoth, lightRequest } from '../support/light';
import { close, serverOf } from '../support/serve';

interface RangeCase {
  field: string;
  size: number;
  ranges: Array<[first: number, last: number]> | 'unsatisfiable' | 'malformed';
  combined: RangeCase['ranges'];
  response?: { status: number; contentRange?: string; contentLength?: number };
}

const CORPUS = join(__dirname, '..', '..', 'fixtures', 'ranges');
const files = readdirSync(CORPUS).filter((name) => name.endsWith('.json') && name !== 'schema.json');

describe('Range headers of the corpus in fixtures/ranges (§4.4)', () => {
  let server: Server;
  const agent = new Agent({ keepAlive: true });

  before(async () => {
    const root = filesOf({ 0: '', 1: '', 10: '', 2147483648: '' });
    for (const size of [1, 10, 2147483648]) truncateSync(join(root, String(size)), size);
    const app = framework().set('env', 'test');
    app.get('/:size', (req, res) =>
      res.sendFile(req.params.size, { root, lastModified: false, etag: false }),
    );
    server = await serverOf(app);
    // Keep the connection open: otherwise the server may close it while the client writes the next request.
    server.keepAliveTimeout = 0;
  });

  after(async () => {
    agent.destroy();
    await close(server);
  });

  for (const file of files) {
    const { about, cases } = JSON.parse(readFileSync(join(CORPUS, file), 'utf8')) as {
      about: string;
      cases: RangeCase[];
    };

    it(`req.range() parses ${file} as recorded: ${about} [F-4.4-26 F-4.4-28 F-4.4-31 F-4.4-32]`, () => {
      for (const { field, size, ranges, combined } of cases) {
        const { ours, theirs } = askBoth((app) => {
          const req = lightRequest(app, { headers: { range: field } });
          return [inWords(req.range(size)), inWords(req.range(size, { combine: true }))];
        });

        expect(ours, `${field} of ${size}`).to.deep.equal([ranges, combined]);
        expect(ours, `${field} of ${size}`).to.deep.equal(theirs);
      }
    });

    it(`res.sendFile() responds to ${file} as recorded [F-4.4-28 F-2.9-11]`, async () => {
      for (const { field, size, response } of cases) {
        if (response) expect(await head(field, size), `${field} of ${size}`).to.deep.equal(response);
      }
    });
  }

  function head(field: string, size: number): Promise<RangeCase['response']> {
    const { port } = server.address() as AddressInfo;
    const target = {
      agent,
      host: '127.0.0.1',
      port,
      path: `/${size}`,
      method: 'HEAD',
      headers: { Range: field },
    };
    return new Promise((resolve, reject) => {
      const sent = ask(target, (res) => {
        const { 'content-range': contentRange, 'content-length': length } = res.headers;
        const contentLength =
          res.statusCode === 416 || length === undefined ? {} : { contentLength: Number(length) };
        const response = {
          status: res.statusCode as number,
          ...(contentRange && { contentRange }),
          ...contentLength,
        };
        res.resume().on('end', () => resolve(response));
      });
      sent.on('error', reject).end();
    });
  }
});

/** @returns The result of `req.range` in the format of fixtures/ranges; undefined without a header Range. */
function inWords(ranges: ReturnType<framework.Request['range']>): RangeCase['ranges'] | undefined {
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2) return 'malformed';
  if (!Array.isArray(ranges)) return undefined;
  return ranges.map(({ start, end }) => [start, end]);
}
