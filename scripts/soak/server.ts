/**
 * The server process of the soak test, which serves the application of the fuzzer and reports its memory. Its argument
 * selects this build, Express, or Node.js alone, to find out which of them grows.
 */
import { readdirSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { getHeapCodeStatistics, writeHeapSnapshot } from 'node:v8';
import express from 'express';
import morgan from 'morgan';
import framework from 'nozomi';
import logger from 'nozomi/logger';
import { buildExample } from '../../parity/programs/example';
import type { Kit } from '../../parity/scenario/scenario';

/** The memory and open file descriptors of the process after a garbage collection. */
export interface Sample {
  /** Bytes of the heap, without compiled code. */
  readonly heap: number;
  /** Bytes of compiled code and its metadata, which V8 limits itself. */
  readonly code: number;
  /** Bytes of resident memory. */
  readonly resident: number;
  readonly descriptors: number;
}

/** A message to the process, which takes a sample. With `file`, it first writes a heap snapshot there. */
export type Question = 'sample' | { readonly file: string };

export const IMPLEMENTATIONS = ['build', 'reference', 'bare'] as const;
export type Implementation = (typeof IMPLEMENTATIONS)[number];

/** The request header with the status that `bare` responds with, because it has no application. */
export const WANTED = 'x-wanted';

const files = join(__dirname, '../../fixtures/files');
const log = new Writable({ write: (_chunk, _encoding, done) => done() });
const LISTENERS: Readonly<Record<Implementation, () => RequestListener>> = {
  build: () => build({ framework, logger, log, files } as unknown as Kit),
  reference: () => build({ framework: express, logger: morgan, log, files } as unknown as Kit),
  bare: () => (req, res) => {
    req.on('data', () => undefined);
    req.on('end', () => res.writeHead(Number(req.headers[WANTED] ?? 200)).end());
  },
};

if (require.main === module) {
  const server = createServer(LISTENERS[process.argv[2] as Implementation]());
  process.on('message', (question: Question) => {
    global.gc?.();
    if (question !== 'sample') writeHeapSnapshot(question.file);
    const { heapUsed, rss } = process.memoryUsage();
    const { code_and_metadata_size, bytecode_and_metadata_size } = getHeapCodeStatistics();
    const code = code_and_metadata_size + bytecode_and_metadata_size;
    const descriptors = readdirSync('/proc/self/fd').length;
    process.send?.({ heap: heapUsed - code, code, resident: rss, descriptors } satisfies Sample);
  });
  process.on('disconnect', () => process.exit());
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

function build(kit: Kit): RequestListener {
  return buildExample(kit) as unknown as RequestListener;
}
