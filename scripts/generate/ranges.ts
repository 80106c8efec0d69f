// Records in fixtures/ranges/ how Express parses Range headers in req.range() and serves them in res.sendFile(). Run
// this script after an update of Express or a change to the headers below, then `npm run fixtures -- --index`.
//
//   npm run generate -- ranges               writes fixtures/ranges/
//   npm run generate -- ranges --check    writes nothing; exit code 1 if a new recording differs
import { once } from 'node:events';
import { truncateSync, writeFileSync } from 'node:fs';
import { Agent, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express, { type Request } from 'express';
import { temporaryFolder } from '../../parity/temporary-folder';
import { runCommand } from '../command';
import { readIfThere } from '../document';

/**
 * Sizes of the requested resource in bytes. The last size is only parsed: many file systems refuse files of that size.
 */
const SIZES = [0, 1, 10, 2 ** 31, Number.MAX_SAFE_INTEGER];
const LARGEST_FILE = 2 ** 31;

const FIELDS: Readonly<Record<string, { about: string; fields: readonly string[] }>> = {
  single: {
    about: 'One range, with or without a last byte.',
    fields: [
      'bytes=0-0',
      'bytes=0-4',
      'bytes=4-4',
      'bytes=5-9',
      'bytes=9-9',
      'bytes=0-9',
      'bytes=0-10',
      'bytes=9-10',
      'bytes=10-10',
      'bytes=10-11',
      'bytes=0-',
      'bytes=1-',
      'bytes=9-',
      'bytes=10-',
      'bytes=007-008',
      'bytes=-0-1',
      'bytes=4-2',
      'bytes=1-0',
    ],
  },
  suffix: {
    about: 'One range that counts from the end.',
    fields: [
      'bytes=-1',
      'bytes=-5',
      'bytes=-9',
      'bytes=-10',
      'bytes=-11',
      'bytes=-0',
      'bytes=-00',
      'bytes=--1',
    ],
  },
  several: {
    about: 'Several ranges: separate, overlapping, adjacent, in any order, some not satisfiable.',
    fields: [
      'bytes=0-1,4-5',
      'bytes=4-5,0-1',
      'bytes=0-4,2-6',
      'bytes=2-6,0-4',
      'bytes=0-4,5-9',
      'bytes=5-9,0-4',
      'bytes=0-4,0-4',
      'bytes=0-9,2-3',
      'bytes=2-3,0-9',
      'bytes=0-1,3-4,6-7',
      'bytes=0-1,2-3,4-5',
      'bytes=0-0,-1',
      'bytes=-1,0-0',
      'bytes=-5,-2',
      'bytes=5-,-3',
      'bytes=0-4,90-99',
      'bytes=90-99,0-4',
      'bytes=90-99,100-',
      'bytes=4-2,0-1',
      'bytes=0-,1-,2-',
      'bytes=0-0,2-2,4-4,6-6,8-8',
      'bytes=8-8,6-6,4-4,2-2,0-0',
      'bytes=0-3,6-7,2-5',
      'bytes=0-1,x-y',
      'bytes=x-y,0-1',
      'bytes=0-1,,3-4',
      'bytes=,0-1',
      'bytes=0-1,',
    ],
  },
  blanks: {
    about: 'White space, where it is allowed and where it is not.',
    fields: [
      'bytes= 0-4',
      'bytes=0-4 ',
      'bytes=0 -4',
      'bytes=0- 4',
      'bytes=0-1, 3-4',
      'bytes=0-1 ,3-4',
      'bytes=0-1\t,\t3-4',
      ' bytes=0-4',
      'bytes =0-4',
      'bytes=  -3',
      'bytes=- 3',
    ],
  },
  malformed: {
    about: 'Values without a range, other units, other spellings.',
    fields: [
      'bytes',
      'bytes=',
      'bytes=-',
      'bytes=,',
      'bytes=--',
      'bytes=0',
      'bytes=0-4-9',
      'bytes=a-b',
      'bytes=0-b',
      'bytes=a-4',
      'bytes=0x0-0x4',
      'bytes=1e0-1e1',
      'bytes=0.0-4.0',
      'bytes=0-4;q=1',
      'bytes=0–4',
      'bytes:0-4',
      'bytes 0-4/10',
      '=0-4',
      'Bytes=0-4',
      'BYTES=0-4',
      'items=0-4',
      'seconds=0-',
      'none',
      'malformed',
      '-1',
      '0-4',
      'bytes==0-4',
      'bytes=0-4=5-6',
      'bytes=+0-4',
      'bytes=0-+4',
    ],
  },
  numbers: {
    about: 'Numbers around and above the largest safe integer.',
    fields: [
      'bytes=2147483647-',
      'bytes=2147483646-2147483647',
      'bytes=2147483648-',
      'bytes=-2147483648',
      'bytes=0-2147483648',
      'bytes=9007199254740990-',
      'bytes=9007199254740991-',
      'bytes=9007199254740992-',
      'bytes=0-9007199254740993',
      'bytes=-9007199254740991',
      'bytes=-9007199254740993',
      'bytes=0-99999999999999999999999999999999',
      'bytes=99999999999999999999999999999999-',
      'bytes=-99999999999999999999999999999999',
      `bytes=0-${'9'.repeat(400)}`,
      `bytes=${'9'.repeat(400)}-`,
      `bytes=-${'9'.repeat(400)}`,
    ],
  },
};

interface ReceivedResponse {
  status: number;
  contentRange?: string;
  contentLength?: number;
}

type Read = Array<[first: number, last: number]> | 'unsatisfiable' | 'malformed';

runCommand({
  name: 'ranges',
  file: __filename,
  options: { check: { type: 'boolean', default: false } },
  run: ({ values }) => recordAll(values.check),
});

/** @returns Whether the files equal the new recording; always true if they were written. */
async function recordAll(isCheck: boolean): Promise<boolean> {
  const directory = temporaryFolder('ranges');
  const server = serve(directory);
  await once(server, 'listening');
  const agent = new Agent({ keepAlive: true });
  let changed = 0;
  let cases = 0;
  try {
    for (const [name, { about, fields }] of Object.entries(FIELDS)) {
      const recorded = [];
      for (const field of fields)
        for (const size of SIZES) recorded.push(await record(server, agent, field, size));
      cases += recorded.length;
      changed += keep(`${name}.json`, about, recorded, isCheck) ? 1 : 0;
    }
  } finally {
    agent.destroy();
    server.close();
  }
  console.log(`${cases} cases, ${changed} files ${isCheck ? 'out of date' : 'changed'}`);
  return !isCheck || changed === 0;
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

/** Compares a recording with its file, and writes the file unless `isCheck`. @returns Whether they differ. */
function keep(name: string, about: string, cases: readonly object[], isCheck: boolean): boolean {
  const recordedFrom = Object.fromEntries(
    ['express', 'range-parser', 'send'].map((module) => [module, require(`${module}/package.json`).version]),
  );
  const lines = cases.map((one) => `    ${JSON.stringify(one)}`).join(',\n');
  const head = JSON.stringify({ $schema: './schema.json', about, recordedFrom }, undefined, 2).slice(0, -2);
  const text = `${head},\n  "cases": [\n${lines}\n  ]\n}\n`;

  const path = join(__dirname, '..', '..', 'fixtures', 'ranges', name);
  if (readIfThere(path) === text) return false;
  if (!isCheck) writeFileSync(path, text);
  return true;
}
