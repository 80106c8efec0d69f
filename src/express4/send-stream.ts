/**
 * Makes the current version of the package send behave like send 0.19. E4-F31 to E4-F37, E4-H
 *
 * It replaces the media types, the default of `dotfiles` and the check of conditional requests, and adds the options
 * `hidden` and `from`.
 */
import type { IncomingMessage } from 'node:http';
import deprecateFor from 'depd';
import sendStream, { type SendOptions, type SendStream } from 'send';
import { compileType, dotfilesOf, type TypedStream } from '../legacy/send-stream';
import { isFresh } from './fresh';
import { hasFutureFlag } from './future-flags';
import type { SendfileOptions } from './interface';
import { mime } from './mime';
import { withWellFormedRange } from './range';

const deprecate = deprecateFor('send');

type Stream = TypedStream & { req: IncomingMessage };

export function openFile(req: IncomingMessage, path: string, options: SendfileOptions): SendStream {
  const { hidden, from } = options;
  const given: SendOptions = Object.create(options);
  if (hidden !== undefined) deprecate(`hidden: use dotfiles: '${hidden ? 'allow' : 'ignore'}' instead`);
  if (given.dotfiles === undefined && !hasFutureFlag(req, 'dotfiles'))
    given.dotfiles = dotfilesOf(lastPart(path), hidden);
  if (!given.root && from) {
    deprecate('send.from: pass root as option');
    given.root = from;
  }
  return Object.assign(sendStream(withWellFormedRange(req), path, given), {
    type: setType,
    isFresh: isStreamFresh,
  });
}

const setType = compileType(mime);

function isStreamFresh(this: Stream): boolean {
  const { req, res } = this;
  return isFresh(req.headers, {
    etag: res.getHeader('ETag'),
    'last-modified': res.getHeader('Last-Modified'),
  });
}

/** Returns the decoded last part of a path; `''` if the path ends in a slash or has a malformed escape. */
function lastPart(path: string): string {
  try {
    return decodeURIComponent(path).replace(/^.*\//s, '');
  } catch {
    return '';
  }
}
