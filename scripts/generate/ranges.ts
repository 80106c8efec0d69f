// Records in fixtures/ranges/ how Express parses Range headers in req.range() and serves them in res.sendFile(). Run
// this script after an update of Express or a change to the headers below, then `npm run fixtures -- --index`.
//
//   npm run generate -- ranges               writes fixtures/ranges/
//   npm run generate -- ranges --check    writes nothing; exit code 1 if a new recording differs
import { once } from 'node:events';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { Agent, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express, { type Request } from 'express';
import { parse } from 'yaml';
import { temporaryFolder } from '../../parity/temporary-folder';
import { runGenerator } from './page';

/**
 * Sizes of the requested resource in bytes. The last size is only parsed: many file systems refuse files of that size.
 */
const SIZES = [0, 1, 10, 2 ** 31, Number.MAX_SAFE_INTEGER];
const LARGEST_FILE = 2 ** 31;

/** The values of Range to record, by name of the file below fixtures/ranges/. */
const FIELDS: Readonly<Record<string, { about: string; fields: readonly string[] }>> = parse(
  readFileSync(join(__dirname, 'ranges.yaml'), 'utf8'),
);

interface ReceivedResponse {
  status: number;
  contentRange?: string;
  contentLength?: number;
}

type Read = Array<[first: number, last: number]> | 'unsatisfiable' | 'malformed';

runGenerator({ name: 'ranges', file: __filename, compose });

async function compose(): Promise<Record<string, string>> {
  const directory = temporaryFolder('ranges');
  const server = serve(directory);
  await once(server, 'listening');
  const agent = new Agent({ keepAlive: true });
  const files: Record<string, string> = {};
  try {
    for (const [name, { about, fields }] of Object.entries(FIELDS)) {
      const recorded = [];
      for (const field of fields)
        for (const size of SIZES) recorded.push(await record(server, agent, field, size));
      files[`fixtures/ranges/${name}.json`] = format(about, recorded);
    }
  } finally {
    agent.destroy();
    server.close();
  }
  return files;
}

/** Starts an Express server with one sparse file per size up to `LARGEST_FILE`: `/10` has ten bytes. */
function serve(root: string): Server {
  for (const size of SIZES.filter((size) => size <= LARGEST_FILE)) {
    writeFileSync(join(root, String(size)), '');
    truncateSync(join(root, String(size)), size);
  }
  const app = express().set('env', 'test');
  app.get('/:size', (req, res) => res.sendFile(req.params.size, { root, lastModified: false, etag: false }));
  return app.listen(0, '127.0.0.1');
}

async function record(server: Server, agent: Agent, field: string, size: number): Promise<object> {
  // Node.js's client refuses a header with characters beyond latin1, such as `–`. Such a case has no response.
  const isSendable = size <= LARGEST_FILE && /^[\t\x20-\x7e]*$/.test(field);
  const response = isSendable ? await askFor(server, agent, field, size) : undefined;
  return {
    field,
    size,
    ranges: read(field, size),
    combined: read(field, size, true),
    ...(response && { response }),
  };
}

function read(field: string, size: number, combine = false): Read {
  const req = Object.assign(Object.create(express.request), { headers: { range: field } }) as Request;
  const ranges = req.range(size, { combine });
  if (ranges === undefined) throw new Error(`req.range() found no Range header for ${JSON.stringify(field)}`);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2) return 'malformed';
  return (ranges as Array<{ start: number; end: number }>).map(({ start, end }) => [start, end]);
}

function askFor(server: Server, agent: Agent, field: string, size: number): Promise<ReceivedResponse> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const target = {
      agent,
      host: '127.0.0.1',
      port,
      path: `/${size}`,
      method: 'HEAD',
      headers: { Range: field },
    };
    ask(target, (res) => {
      const { 'content-range': contentRange, 'content-length': length } = res.headers;
      res.resume().on('end', () =>
        resolve({
          status: res.statusCode as number,
          ...(contentRange !== undefined && { contentRange }),
          // Omit the length of an error page, which says nothing about the file.
          ...(length !== undefined && res.statusCode !== 416 && { contentLength: Number(length) }),
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}

function format(about: string, cases: readonly object[]): string {
  const recordedFrom = Object.fromEntries(
    ['express', 'range-parser', 'send'].map((module) => [module, require(`${module}/package.json`).version]),
  );
  const lines = cases.map((one) => `    ${JSON.stringify(one)}`).join(',\n');
  const head = JSON.stringify({ $schema: './schema.json', about, recordedFrom }, undefined, 2).slice(0, -2);
  return `${head},\n  "cases": [\n${lines}\n  ]\n}\n`;
}
