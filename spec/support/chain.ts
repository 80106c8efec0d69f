/** Runs middleware on node:http without an application. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

export type Next = (err?: unknown) => void;
export type Link<Req = IncomingMessage> = (req: Req, res: ServerResponse, next: Next) => unknown;

/** An error ends the chain: responds with its status, name, message and code as JSON. */
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

/** @types/node does not declare the properties that middleware adds. */
// biome-ignore lint/suspicious/noExplicitAny: each spec reads other properties
export type Seen = any;

/** The last handler: responds with the result of `pick` as JSON. */
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
