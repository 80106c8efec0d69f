// An error with a message for the visitor. For other errors, error pages show a general message; see errors.ts.

/** The problem of each form field, by the name of the field: a sentence for the visitor. */
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
