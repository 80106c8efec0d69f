// Opens the access log for appending, and creates its folder. If the folder cannot be created, it throws. If the file
// cannot be opened or written, it prints the reason, and the application runs without this log.
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { dirname } from 'node:path';

export function openLog(file: string): WriteStream {
  mkdirSync(dirname(file), { recursive: true });
  const stream = createWriteStream(file, { flags: 'a' });
  stream.once('error', (error) => console.error(`No access log: ${error.message}`));
  return stream;
}
