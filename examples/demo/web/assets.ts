// Serves the style sheet, the script and the crest. Their URLs contain a hash of the contents, so a browser may cache
// them for a year.
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Framework, RequestHandler } from '../framework';
import { versionOf } from './version';

export interface Assets {
  readonly handler: RequestHandler;
  /** Returns the URL of a file in `public/`, with the hash of its contents. */
  readonly url: (name: string) => string;
}

export function assets(framework: Framework, root: string, mountPath: string): Assets {
  const versions = new Map(readdirSync(root).map((name) => [name, versionOf(join(root, name))]));
  const handler = framework.static(root, {
    index: false,
    lastModified: false, // file times differ between checkouts; the ETag is sufficient
    setHeaders(res, path) {
      const version = versions.get(path.slice(path.lastIndexOf(sep) + 1));
      if (version === undefined) return; // the file was added after the start
      const isPinned = res.req.url === undefined ? false : res.req.url.endsWith(`?v=${version}`);
      res.setHeader('ETag', `"${version}"`);
      res.setHeader('Cache-Control', isPinned ? 'public, max-age=31536000, immutable' : 'public, max-age=0');
    },
  });
  return { handler, url: (name) => `${mountPath}/${name}?v=${versions.get(name) ?? ''}` };
}
