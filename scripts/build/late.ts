/**
 * The modules of `src` and packages that are not loaded at start-up. The code imports them like all others; the build
 * makes each import a call of a function that loads the module at its first use (src/internal/lazy.ts).
 */
import { posix } from 'node:path';

/**
 * When a late module is loaded without being used: `listen` when the first server listens, because requests may need
 * it; `use` never, because the application decides before it serves requests. Modules of `src` have their path, as
 * `files/known-files`.
 */
export const LATE: Readonly<Record<string, 'listen' | 'use'>> = {
  accepts: 'listen',
  'basic-auth': 'listen',
  'content-disposition': 'listen',
  'content-type': 'listen',
  cookie: 'listen',
  'cookie-signature': 'listen',
  encodeurl: 'listen',
  'escape-html': 'listen',
  'http-errors': 'listen',
  'mime-types': 'listen',
  'negotiator-0': 'listen',
  'node:crypto': 'listen',
  'on-finished': 'listen',
  'on-headers': 'listen',
  'path-to-regexp': 'listen',
  'proxy-addr': 'listen',
  'range-parser': 'listen',
  send: 'listen',
  statuses: 'listen',
  'type-is': 'listen',
  vary: 'listen',
  'files/known-files': 'listen',
  'transports/http2': 'listen',
  'application/nested-query': 'use',
  'body/load-body-parser': 'use',
  'body/form': 'use',
  'body/utf8': 'use',
  'files/precompressed': 'use',
  'logger/logger': 'use',
  'response/web-body': 'use',
};

// An import in the output of tsc: `const vary_1 = __importDefault(require("vary"));`
const IMPORT = /^const (\w+) = (.*\brequire\("([^"]+)"\).*);$/gm;

/**
 * Makes the imports of late modules calls. Lines keep their numbers.
 *
 * @param name The path of a module below `src`, without extension.
 * @param text The output of tsc for the module.
 */
export function makeLate(name: string, text: string): string {
  const folder = posix.dirname(name);
  const loader = `require("./${posix.relative(folder, 'internal/lazy')}")`;
  let changed = text;
  for (const [line, variable = '', load = '', path = ''] of text.matchAll(IMPORT)) {
    const when = LATE[path.startsWith('.') ? posix.join(folder, path) : path];
    if (!when) continue;
    const once = `${loader}.once(() => ${load})`;
    changed = changed
      .replaceAll(new RegExp(`\\b${variable}\\.`, 'g'), `${variable}().`)
      .replace(line, () => `const ${variable} = ${when === 'listen' ? `${loader}.need(${once})` : once};`);
  }
  return changed;
}
