/** The requests for compressed files whose responses `npm run generate -- nginx` records, and what a recording keeps of them. */
import { cpSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../parity/temporary-folder';
import { askHttp1, type TestRequest } from '../transports/support';

/** The path of the recording from the root of the repository. */
export const RECORDING = 'fixtures/nginx/gzip-static.json';

/** The time of all files of the site. */
const WHEN = new Date('2026-01-01T00:00:00Z');
const SITE = join(__dirname, '../../fixtures/nginx/site');

const HEADERS: ReadonlyArray<Readonly<Record<string, string>>> = [
  {},
  { 'Accept-Encoding': 'gzip' },
  { 'Accept-Encoding': 'gzip, deflate, br' },
  { 'Accept-Encoding': 'gzip;q=0' },
  { 'Accept-Encoding': 'br' },
  // Without a compressed file: nginx sends no ranges of one.
  { Range: 'bytes=2-9' },
  { 'Accept-Encoding': 'gzip', 'If-Modified-Since': WHEN.toUTCString() },
];

/** The headers that nginx and Nozomi have in common. */
const COMPARED = ['content-encoding', 'content-length', 'content-range', 'last-modified', 'vary'];

export interface Exchange {
  readonly request: TestRequest;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** A file with these bytes, or the bytes as text. */
  readonly body: { readonly file: string } | string;
}

/** @returns The path of a copy of the site, whose files all have the same time. */
export function copySite(): string {
  const root = temporaryFolder('site');
  cpSync(SITE, root, { recursive: true });
  for (const name of readdirSync(root)) utimesSync(join(root, name), WHEN, WHEN);
  return root;
}

/** Sends each request to a server of the site on a port. */
export async function askForFiles(port: number): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const path of ['/app.js', '/index.html', '/plain.txt', '/'])
    for (const headers of HEADERS)
      for (const method of ['GET', 'HEAD']) exchanges.push(await ask(port, { method, path, headers }));
  return exchanges;
}

async function ask(port: number, request: TestRequest): Promise<Exchange> {
  const { status, headers, body } = await askHttp1(port, request);
  const file = readdirSync(SITE).find((name) => readFileSync(join(SITE, name)).equals(body));
  const kept = Object.fromEntries(
    COMPARED.flatMap((name) => (name in headers ? [[name, headers[name]]] : [])),
  );
  return { request, status, headers: kept, body: file === undefined ? body.toString('latin1') : { file } };
}
