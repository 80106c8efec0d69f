import { join } from 'node:path';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import framework from 'nozomi';
import { toFetch } from 'nozomi/fetch';
import logger from 'nozomi/logger';
import { descriptors, descriptorsBeyond } from '../support/descriptors';
import { filesOf } from '../support/files';
import { PATIENCE } from '../support/play';

const COUNT = 50;
const LENGTH = 1_000_000;

describe('toFetch, responses that the caller does not read to the end', () => {
  let file: string;
  let gc: () => void;

  before(() => {
    file = join(filesOf({ 'long.txt': 'x'.repeat(LENGTH) }), 'long.txt');
    setFlagsFromString('--expose-gc');
    gc = runInNewContext('gc');
  });

  async function collectUntil(isDone: () => boolean): Promise<void> {
    const end = performance.now() + PATIENCE;
    while (!isDone() && performance.now() < end) {
      // First: an object whose WeakRef was read is kept until the end of the turn. A collection takes long, so the files
      // and streams get some time between two of them.
      await pause(20);
      gc();
    }
  }

  /** @returns An application with a mounted one, its open requests and responses, and its log lines. */
  function application() {
    const messages: WeakRef<object>[] = [];
    const lines: string[] = [];
    const app = framework();
    const mounted = framework();
    app.use((req, res, next) => {
      messages.push(new WeakRef(req), new WeakRef(res));
      next();
    });
    app.use(logger(':url', { stream: { write: (line: string) => lines.push(line) } }));
    mounted.get('/file', (_req, res) => res.sendFile(file));
    mounted.get('/writes', (_req, res) => {
      for (let i = 0; i < 10; i++) res.write(Buffer.alloc(LENGTH / 10, 'x'));
      res.end();
    });
    mounted.get('/head', (_req, res) => res.flushHeaders());
    app.use('/mounted', mounted).use(mounted);
    return { fetch: toFetch(app), messages, lines };
  }

  for (const path of ['/file', '/writes', '/head', '/mounted/file', '/mounted/writes', '/mounted/head']) {
    it(`are aborted and freed when they are collected (${path})`, async () => {
      const before = descriptors();
      const { fetch, messages, lines } = application();
      for (let i = 0; i < COUNT; i++) expect((await fetch(path)).status).to.equal(200);
      const kept = (): number => messages.filter((message) => message.deref()).length;
      await collectUntil(() => kept() === 0 && lines.length === COUNT);
      expect({ kept: kept(), logged: lines.length }).to.deep.equal({ kept: 0, logged: COUNT });
      expect(await descriptorsBeyond(before)).to.equal(0);
    });
  }

  it('continue while the caller still has the body or its reader', async () => {
    const { fetch } = application();
    for (const path of ['/mounted/file', '/mounted/writes']) {
      let { body } = await fetch(path);
      for (let round = 0; round < 3; round++) {
        gc();
        await turn();
      }
      const reader = (body as ReadableStream<Uint8Array>).getReader();
      body = null;
      let length = 0;
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        length += part.value.length;
        gc();
        await turn();
      }
      expect(length).to.equal(LENGTH);
    }
  });
});
