/** The library body-parser, which is loaded when the application creates its first parser. */
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import bodyParser from 'body-parser';
import type { Members } from '../interface';
import { need } from '../internal/lazy';

// With its first body, body-parser loads the encodings of iconv-lite.
need(() => read(bodyParser.text({ type: () => true }), '', undefined, () => {}));

export { bodyParser };

/** Passes a body to a parser of body-parser, with a request that only has the headers and the events that it uses. */
export function read(
  parser: ReturnType<Members['json']>,
  body: string,
  res: ServerResponse | undefined,
  next: (err?: unknown) => void,
): void {
  const req = Object.assign(new EventEmitter(), { headers: { 'transfer-encoding': 'chunked' } });
  Reflect.apply(parser, undefined, [req, res, next]);
  req.emit('data', Buffer.from(body));
  req.emit('end');
}
