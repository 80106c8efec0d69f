/** Calls a router without a server for one GET request, and returns the observation of its handler. */
import type { IRouter, RequestHandler } from 'express';

/** Route methods by name, for methods that the types lack. */
export type Verb = Record<string, ((path: unknown, ...handlers: RequestHandler[]) => unknown) | undefined>;

export interface SeenRequest {
  method: string;
  url: string;
  params?: Record<string, unknown>;
}

/** The request as the responding handler received it; undefined if no handler responded. */
export function seenBy(router: IRouter, url: string, method = 'GET'): SeenRequest | undefined {
  const req: SeenRequest = { method, url };
  let isAnswered = false;
  const response = (): void => {
    isAnswered = true;
  };
  const handle = router as unknown as (req: object, res: object, done: () => void) => void;
  handle(req, { json: response, send: response }, () => undefined);
  return isAnswered ? req : undefined;
}
