/**
 * The server of a soak test: the application of the fuzzer in a process of its own, which reports its memory on
 * request. The argument selects this build, Express, or Node.js alone, to find which of them grows.
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
import type { Kit } from '../../parity/scenario/scenario';
import { buildExample } from '../fuzz/application';

/** Measured after a full garbage collection, in bytes and descriptors. */
export interface Sample {
  /** The heap without V8's compiled code and type feedback, which V8 limits itself. */
  readonly heap: number;
  readonly code: number;
  readonly resident: number;
  readonly descriptors: number;
}

/** A message of the soak: take a sample, or write a heap snapshot to that file. */
export type Question = 'sample' | { readonly file: string };

export const IMPLEMENTATIONS = ['build', 'reference', 'bare'] as const;
export type Implementation = (typeof IMPLEMENTATIONS)[number];

/** The header by which a request selects its response, for a server without an application. */
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
