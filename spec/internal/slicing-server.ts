/**
 * Serves an application whose responses contain parts of large texts, and sends it requests. Prints by how many
 * megabytes the heap has grown afterwards. V8 does not copy a part of a text: it refers to the whole text.
 *
 * A child process, because it needs `--expose-gc` and empty caches.
 *
 * Arguments: the entry point of the package, and one of `etag`, `type` and `name`.
 */
import http2 from 'node:http2';
import type framework from 'nozomi';
import { askHttp2, withHttp2 } from '../transports/support';

const MB = 1_000_000;
/** As many as the cache of ETags has entries. */
const TEXTS = 16;
const [, , entryPoint = '', kind] = process.argv;

/** @returns The first characters of a text of 4 MB that nothing else refers to. */
function slice(text: string, length = text.length): string {
  return `${text}${'x'.repeat(4 * MB)}`.slice(0, length);
}

function heapUsed(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / MB;
}

async function main(): Promise<void> {
  const app = (require(entryPoint) as typeof framework)();
  app.get('/etag/:i', ({ params }, res) => void res.send(slice('body', 500 + Number(params.i))));
  app.get(
    '/type/:i',
    ({ params }, res) => void res.type(slice(`text/x-sliced-${params.i}; charset=utf-8`)).send('x'),
  );
  app.get('/name/:i', ({ params }, res) => void res.set(slice(`X-Sliced-Name-${params.i}`), 'x').send('x'));
  await withHttp2(app, async (session) => {
    await askHttp2(session, { path: '/first' });
    const before = heapUsed();
    for (let i = 0; i < TEXTS; i++) {
      // Twice: the cache of ETags only keeps bodies that are sent again.
      for (let time = 0; time < 2; time++) {
        const { status } = await askHttp2(session, { path: `/${kind}/${i}` });
        if (status !== http2.constants.HTTP_STATUS_OK) throw new Error(`status ${status}`);
      }
    }
    process.stdout.write(String(heapUsed() - before));
  });
}

void main();
