import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { parse } from 'yaml';
import { carrying } from '../../parity/application/carry';
import { readHar, readRequests, type Traffic } from '../../parity/application/traffic';
import { playSteps } from '../../parity/client/exchange';
import { serving } from '../support/serve';

/** A file in the form of one producer, and what is sent for it. */
interface Dialect {
  readonly producer: string;
  readonly file: string;
  /** What this producer writes and others do not. */
  readonly forms: string;
  readonly environment?: string;
  readonly leftOut?: readonly string[];
  readonly sent: ReadonlyArray<{ readonly head: string; readonly body?: string }>;
}

const FOLDER = join(__dirname, 'dialects');
const DIALECTS: readonly Dialect[] = parse(readFileSync(join(FOLDER, 'dialects.yaml'), 'utf8'));

describe('the files of other programs', () => {
  const rows: string[][] = [['producer', 'file', 'sent', 'left out', 'forms']];

  for (const { producer, file, forms, environment, leftOut = [], sent } of DIALECTS)
    it(`are sent byte for byte: ${producer}, ${basename(file)}`, async () => {
      const traffic = read(join(FOLDER, file), environment);
      const expected = sent.map(({ head, body = '' }) => `${head.trimEnd()}\n\n${body}`);

      expect(await bytesOf(traffic)).to.deep.equal(expected);
      expect(traffic.leftOut.map(({ what, why }) => `${what}: ${why}`)).to.deep.equal(leftOut);
      rows.push([producer, file, String(sent.length), String(leftOut.length), forms]);
    });

  after(() => {
    const widths = rows[0]?.map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
    for (const row of rows)
      console.log(`    ${row.map((cell, index) => cell.padEnd(widths?.[index] ?? 0)).join('  ')}`.trimEnd());
  });
});

function read(file: string, environment: string | undefined): Traffic {
  if (file.endsWith('.har')) return readHar(file);
  const selected = environment?.endsWith('.json') ? join(FOLDER, environment) : environment;
  return readRequests(file, { environment: selected });
}

/** Returns what arrives for each request, with LF between its headers and its body decompressed. */
async function bytesOf({ requests, secrets }: Traffic): Promise<string[]> {
  const arrived: Buffer[] = [];
  // A server of node:net, which receives the bytes as they are.
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf('\r\n\r\n');
      const [, length = '0'] = /^content-length: *(\d+)/im.exec(received.toString('latin1', 0, end)) ?? [];
      if (end < 0 || received.length < end + 4 + Number(length)) return;
      arrived.push(received);
      const body = JSON.stringify({ token: `t${arrived.length}`, list: [{ id: 7 }] });
      socket.end(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Id: h${arrived.length}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    });
  });
  await serving(server, (port) => playSteps(carrying(requests, secrets), { port, patience: 5000 }));
  return arrived.map((bytes) => {
    const end = bytes.indexOf('\r\n\r\n');
    const head = bytes.toString('utf8', 0, end).replaceAll('\r\n', '\n');
    const body = bytes.subarray(end + 4);
    const plain = /^content-encoding: gzip$/im.test(head) ? gunzipSync(body) : body;
    const text = plain.toString();
    return `${head}\n\n${Buffer.from(text).equals(plain) ? text : `base64 ${plain.toString('base64')}`}`;
  });
}
