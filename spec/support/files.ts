/** Creates files for a spec in a new directory, which is removed when the run ends. Also has a template engine. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../parity/temporary-folder';

/** @param files The contents by relative path. @returns The absolute path of the directory. */
export function filesOf(files: Readonly<Record<string, string>>): string {
  const directory = temporaryFolder('spec');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

/** A template engine that replaces `{name}` with the local variable `name`. */
export function braces(path: string, options: object, callback: (err: unknown, html?: string) => void): void {
  const locals = options as Record<string, unknown>;
  readFile(path, 'utf8').then(
    (text) =>
      callback(
        null,
        text.replace(/\{([^{}]+)\}/g, (_all, name) => String(locals[name])),
      ),
    callback,
  );
}
