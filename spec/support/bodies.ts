/** Applications that respond with `req.body`, or with the error of a body parser. */
import type { RequestListener } from 'node:http';
import type { Request, Response } from 'express';
import type { Framework } from './play';

export type Parser = 'json' | 'raw' | 'text' | 'urlencoded';

/** The media type that each parser accepts by default. */
export const TYPES: Readonly<Record<Parser, string>> = {
  json: 'application/json',
  raw: 'application/octet-stream',
  text: 'text/plain',
  urlencoded: 'application/x-www-form-urlencoded',
};

/** @returns An application that responds with the result of one parser, or with its error, as JSON. */
export function echo(parser: Parser, options?: object) {
  return (framework: Framework): RequestListener => {
    const app = framework();
    app.use(framework[parser](options));
    app.use((req: Request, res: Response) => {
      res.json(describeBody(req.body));
    });
    app.use((err: Error & { status?: number }, req: Request, res: Response, _next: unknown) => {
      res.status(err.status ?? 500).json({ error: describeError(err), body: describeBody(req.body) });
    });
    return app;
  };
}

export function describeBody(body: unknown): unknown {
  if (body === undefined) return { undefined: true };
  if (Buffer.isBuffer(body)) return { bytes: body.toString('base64') };
  const shape =
    typeof body === 'object' && body !== null ? Object.getPrototypeOf(body)?.constructor.name : typeof body;
  return { shape, value: body };
}

/** @returns The properties of an error in order, without the stack. */
export function describeError(err: Error): Record<string, unknown> {
  return {
    name: err.name,
    message: err.message,
    class: err.constructor.name,
    status: (err as { status?: number }).status,
    statusCode: (err as { statusCode?: number }).statusCode,
    expose: (err as { expose?: boolean }).expose,
    members: Object.entries(err).map(([name, value]) => [
      name,
      Buffer.isBuffer(value) ? { bytes: value.toString('base64') } : value,
    ]),
  };
}
