import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Writes one file to `folder` for each file below `from`, which it re-exports: the paths are those of Express. */
export function reexport(folder: string, from: string): void {
  for (const file of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.js')) continue;
    const target = relative(dirname(join(folder, file)), join(from, file)).replaceAll('\\', '/');
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `module.exports = require('${target}');\n`);
  }
}
