// Serves the source files that the footer of each page links to, as plain text.
import { join } from 'node:path';
import type { Framework, Router } from '../framework';

/** Other folders of the demo are not served: one contains the access log. */
const FOLDERS = ['pages', 'web'];

/**
 * Creates the router of /source.
 *
 * @param root The folder of the demo.
 */
export function sources(framework: Framework, root: string): Router {
  const router = framework.Router();
  for (const folder of FOLDERS) {
    const files = framework.static(join(root, folder), {
      index: false,
      redirect: false,
      // Without this header, the extension `.ts` makes the type `video/mp2t`.
      setHeaders: (res) => res.setHeader('Content-Type', 'text/plain; charset=utf-8'),
    });
    router.use(`/${folder}`, files);
  }
  return router;
}
