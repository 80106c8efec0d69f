/** The final handler of an Express 3 application. It sends the short 404 and error pages of Express 3. §9.3 */
import { STATUS_CODES } from 'node:http';
import escapeHtml from 'escape-html';
import { logSafely, respondToAny } from '../application/final-handler';
import { toHtml } from '../http/html-page';
import { express3 } from './series';
import type { Request, Response } from './types';

/** As in Express 3, the setting `env` of an application has no effect on its error pages. */
const env = process.env.NODE_ENV || 'development';

interface Page {
  readonly status: number;
  readonly body: string;
}

/** Sends an error page, or a 404 page if there is no error. */
export function respondFinally(req: Request, res: Response, err: unknown): void {
  respondToAny(req, res, err, {
    prepare: (error) => (error ? errorPage(error, req, res) : notFound(req, res)),
    write: (page) => write(req, res, page),
  });
}

/** Returns the 404 page. Returns undefined if the response has begun. */
function notFound(req: Request, res: Response): Page | undefined {
  const target = `${escapeHtml(req.method)} ${escapeHtml(req.originalUrl || req.url)}`;
  return res.headersSent ? undefined : { status: 404, body: `Cannot ${target}\n` };
}

/** Returns the page of an error. If the response has begun, destroys the connection and returns undefined. */
function errorPage(err: unknown, req: Request, res: Response): Page | undefined {
  const status = statusOf(err, res.statusCode);
  const text = env === 'production' ? STATUS_CODES[status] : express3.errors.toLogged(err);
  const body = `${toHtml(String(text))}\n`;
  if (env !== 'test') setImmediate(logSafely, err, express3);
  if (!res.headersSent) return { status, body };
  req.socket.destroy();
  return undefined;
}

/** Returns `err.status`, `err.statusCode` or the status of the response, whichever is set; 500 if it is below 400. */
function statusOf(err: unknown, former: number): number {
  const { status, statusCode } = Object(err);
  const found = status || statusCode || former;
  return found < 400 ? 500 : found || 500;
}

function write(req: Request, res: Response, { status, body }: Page): void {
  res.statusCode = status;
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(body));
  if (req.method === 'HEAD') res.end();
  else res.end(body, 'utf8');
}
