// The last middleware: sends a response for unknown paths and for errors, as a page, JSON or text (see reply.ts).
import { STATUS_CODES } from 'node:http';
import type { ErrorRequestHandler, RequestHandler, Response } from '../framework';
import { DeskError } from './desk-error';
import { reply } from './reply';

/** Messages for the errors of body parsers, by the property `type` of the error. */
const MESSAGES: Readonly<Record<string, string>> = {
  'charset.unsupported': 'This desk does not read that character set.',
  'encoding.unsupported': 'This desk does not unpack that content encoding.',
  'entity.parse.failed': 'The body is not valid JSON.',
  'entity.too.large': 'The body is larger than this desk accepts.',
  'parameters.too.many': 'The form has more fields than this desk accepts.',
};

const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'This desk cannot make sense of that request.',
  403: 'This door is for staff only.',
  404: 'No train stops here.',
};

export function notFound(): RequestHandler {
  return (_req, _res, next) => next(new DeskError(404, 'No train stops here.'));
}

/**
 * Creates the error handler of the application.
 *
 * @param showStack Whether the page of an error with status 500 or more shows its stack.
 * @param report Called with unexpected errors: status 500 or more, not a DeskError, and before the response has begun.
 */
export function errorPage(showStack: boolean, report: (error: unknown) => void): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    const status = statusOf(error);
    if (res.headersSent) return next(error); // too late for a page: the framework reports the error and closes the connection
    if (status >= 500 && !(error instanceof DeskError)) report(error);

    const problem = {
      status,
      message: messageOf(error, status),
      ...(error instanceof DeskError && error.problems ? { problems: error.problems } : {}),
    };
    if (error instanceof DeskError) res.set(error.headers);
    forgetContent(res);
    res.status(status).set('Cache-Control', 'no-store');
    reply(res, {
      page: [
        'error',
        {
          ...problem,
          title: STATUS_CODES[status] ?? 'Error',
          stack: showStack && status >= 500 ? stackOf(error) : '',
        },
      ],
      json: { error: problem },
      text: `${status} ${problem.message}\n`,
    });
  };
}

function statusOf(error: unknown): number {
  const status = isRecord(error) ? Number(error.status) : Number.NaN;
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : 500;
}

/** Returns the message of a DeskError. Other errors get a message for their type or status. */
function messageOf(error: unknown, status: number): string {
  if (error instanceof DeskError) return error.message;
  if (status >= 500) return 'Something broke behind the desk. It is not your fault.';
  const type = isRecord(error) ? String(error.type) : '';
  return MESSAGES[type] ?? BY_STATUS[status] ?? `${STATUS_CODES[status] ?? 'Bad Request'}.`;
}

/** Removes headers that describe a body: a handler may have set them before it failed. */
function forgetContent(res: Response): void {
  for (const field of [
    'Content-Disposition',
    'Content-Encoding',
    'Content-Language',
    'ETag',
    'Last-Modified',
    'Link',
  ]) {
    res.removeHeader(field);
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)) : String(error);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
