// Opens the access log for appending. Without it, the application runs, too.
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { dirname } from 'node:path';

export function openLog(file: string): WriteStream {
  mkdirSync(dirname(file), { recursive: true });
  const stream = createWriteStream(file, { flags: 'a' });
  stream.once('error', (error) => console.error(`No access log: ${error.message}`));
  return stream;
}
