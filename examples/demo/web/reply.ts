// One answer, in the form the visitor asked for.
import type { Response } from '../framework';

export interface Answer {
  /** Name of the view, and what it shows. */
  readonly page: readonly [view: string, data: object];
  readonly json: unknown;
  readonly text?: string;
}

/** Always JSON below /api, which sets `res.locals.api`; elsewhere what `Accept` asks for, a page by default. */
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
