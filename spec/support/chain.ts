/** Runs middleware on node:http without an application. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

export type Next = (err?: unknown) => void;
export type Link<Req = IncomingMessage> = (req: Req, res: ServerResponse, next: Next) => unknown;

/**
 * Runs middleware in order. For an error responds with its status, name, message and code as JSON; for `next()` of the
 * last middleware with 404.
 */
export function chain(...links: ReadonlyArray<Link<never>>): RequestListener {
  return (req, res) => {
    const next = (at: number, err?: unknown): void => {
      const link = links[at] as Link | undefined;
      if (err === undefined && link) link(req, res, (err) => next(at + 1, err));
      else end(res, err);
    };
    next(0);
  };
}

// biome-ignore lint/suspicious/noExplicitAny: @types/node does not declare the properties that middleware adds
export type Seen = any;

/** @returns A handler that responds with the result of `pick` as JSON. */
export function show(pick: (req: Seen) => unknown): Link {
  return (req, res) => {
    res.setHeader('Content-Type', 'application/json');
    res.end(JSON.stringify(pick(req)));
  };
}

function end(res: ServerResponse, err: unknown): void {
  const { name, message, code, status } = (err ?? { status: 404 }) as Error & {
    code?: string;
    status?: number;
  };
  res.statusCode = status ?? 500;
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify({ name, message, code }));
}
