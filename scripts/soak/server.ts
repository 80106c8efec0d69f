/** The server of a soak: the application of the fuzzer in a process of its own, which tells what it holds when asked. */
import { readdirSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import framework from 'nozomi';
import logger from 'nozomi/logger';
import type { Kit } from '../../parity/scenario';
import scenarios, { UNDER_FUZZ } from '../fuzz/application';

/** What the process holds after a full collection: bytes, descriptors. */
export interface Sample {
  readonly heap: number;
  readonly resident: number;
  readonly descriptors: number;
}

const files = join(__dirname, '../../fixtures/files');
const log = new Writable({ write: (_chunk, _encoding, done) => done() });
const kit = { framework, logger, log, files } as unknown as Kit;
const app = scenarios.find(({ name }) => name === UNDER_FUZZ)?.build(kit) as RequestListener;
const server = createServer(app);

process.on('message', () => {
  global.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const descriptors = readdirSync('/proc/self/fd').length;
  process.send?.({ heap: heapUsed, resident: rss, descriptors } satisfies Sample);
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
