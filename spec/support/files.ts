/** Real files for one spec: a directory of its own, gone when the run ends. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const made: string[] = [];

after(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});

/** @param files Texts by path. @returns The absolute path of the directory that holds them. */
export function filesOf(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'nozomi-'));
  made.push(directory);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

/** A template engine: `{name}` is the local of that name. */
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
