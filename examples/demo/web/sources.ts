// The source files that the footer of each page links to, as plain text.
import { join } from 'node:path';
import type { Framework, Router } from '../framework';

/** Only these folders of the demo; others contain logs. */
const FOLDERS = ['pages', 'web'];

/** @param root The folder of the demo. */
export function sources(framework: Framework, root: string): Router {
  const router = framework.Router();
  for (const folder of FOLDERS) {
    const files = framework.static(join(root, folder), {
      index: false,
      redirect: false,
      // By the extension `.ts` a browser would take TypeScript for a video.
      setHeaders: (res) => res.setHeader('Content-Type', 'text/plain; charset=utf-8'),
    });
    router.use(`/${folder}`, files);
  }
  return router;
}
