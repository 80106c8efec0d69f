/** Calls a router without a server. */
import type { IRouter } from 'express';

interface SeenRequest {
  method: string;
  url: string;
  params?: Record<string, unknown>;
}

/** @returns The request that the responding handler received, or undefined if no handler responded. */
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
