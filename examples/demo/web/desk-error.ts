// An error with something to say to the visitor. Only these messages ever reach a page; see errors.ts.

/** Field name → what is wrong with it, for people. */
export type Problems = Record<string, string>;

export class DeskError extends Error {
  readonly status: number;
  readonly problems: Problems | undefined;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    message: string,
    extra: { problems?: Problems; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = 'DeskError';
    this.status = status;
    this.problems = extra.problems;
    this.headers = extra.headers ?? {};
  }
}
