// Sends a response in the format that the client accepts.
import type { Response } from '../framework';

export interface Answer {
  /** The name of the view, and its locals. */
  readonly page: readonly [view: string, data: object];
  readonly json: unknown;
  readonly text?: string;
}

/**
 * Sends JSON below /api, where `res.locals.api` is set. Elsewhere `Accept` selects the format; the default is a page.
 */
export function reply(res: Response, { page: [view, data], json, text }: Answer): void {
  if (res.locals.api) {
    res.json(json);
    return;
  }
  const page = (): void => res.render(view, data);
  res.format({
    html: page,
    json: () => res.json(json),
    ...(text === undefined ? {} : { text: () => res.send(text) }),
    default: page,
  });
}
