/** The final handler of an Express 3 application. It sends the short 404 and error pages of Express 3. §9.3 */
import { STATUS_CODES } from 'node:http';
import escapeHtml from 'escape-html';
import onFinished from 'on-finished';
import type { Next, Request, Response } from './types';

/** As in Express 3, the setting `env` of an application has no effect on its error pages. */
const env = process.env.NODE_ENV || 'development';

export function finalHandler(req: Request, res: Response): Next {
  return (err) => {
    if (!err) {
      if (res.headersSent) return;
      const target = `${escapeHtml(req.method)} ${escapeHtml(req.originalUrl || req.url)}`;
      return answer(req, res, 404, `Cannot ${target}\n`);
    }
    if (env !== 'test') setImmediate(() => console.error(toText(err)));
    if (res.headersSent) {
      req.socket.destroy();
      return;
    }
    const status = statusOf(err, res.statusCode);
    const text = env === 'production' ? (STATUS_CODES[status] ?? String(status)) : toText(err);
    answer(req, res, status, `${toHtml(text)}\n`);
  };
}

/** Returns the first value from 400 to 599 of `err.status`, `err.statusCode` and the response's status. Default 500. */
function statusOf(err: unknown, former: number): number {
  const { status, statusCode } = Object(err);
  const isError = (code: unknown): code is number =>
    typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 599;
  return [status, statusCode, former].find(isError) ?? 500;
}

function toText(err: unknown): string {
  return Object(err).stack || String(err);
}

function toHtml(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>').replaceAll('  ', ' &nbsp;');
}

/**
 * Sends the page after the whole request has arrived: some clients read no response before they have sent their body.
 */
function answer(req: Request, res: Response, status: number, page: string): void {
  const write = (): void => {
    res.statusCode = status;
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Content-Type', 'text/html; charset=utf-8');
    res.setHeader('Content-Length', Buffer.byteLength(page));
    if (req.method === 'HEAD') res.end();
    else res.end(page, 'utf8');
  };
  if (onFinished.isFinished(req)) return write();
  req.unpipe();
  onFinished(req, write);
  req.resume();
}
