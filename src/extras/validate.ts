/** `validate`: checks parts of a request and the response with schemas of any library. https://standardschema.dev */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as core from 'express-serve-static-core';
import createError, { type HttpError } from 'http-errors';
import { ignore } from '../internal/ignore';
import { named } from '../internal/named';
import { ownOptions } from '../internal/own-options';
import { rejection } from '../internal/rejection';

/** A schema of zod, valibot, arktype or any other library with Standard Schema. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Result<Output> | Promise<Result<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}
type Result<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };
interface Issue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

/** The schemas of a route. */
export interface Schemas {
  params?: StandardSchema;
  query?: StandardSchema;
  body?: StandardSchema;
  /** The value of `res.json`, with a status below 400. It must validate synchronously. */
  response?: StandardSchema;
}

type Types<S> = S extends StandardSchema ? NonNullable<S['~standard']['types']> : never;

/** The request of the middleware: only the parts with a schema. The types of the others come from elsewhere. */
type Validated<S> = IncomingMessage & {
  [Part in (typeof PARTS)[number] & keyof S as S[Part] extends StandardSchema ? Part : never]: Types<
    S[Part]
  >['output'];
};
// biome-ignore lint/suspicious/noExplicitAny: as in Express, without a schema
type Sent<S> = S extends { response: StandardSchema } ? Types<S['response']>['input'] : any;

/** The parts of a request, in the order in which they are checked. */
const PARTS = ['params', 'query', 'body'] as const;

/** The key under which the middleware has its schemas. Tools such as `nozomi-parity openapi` read it. */
const SCHEMAS = Symbol.for('nozomi.schemas');

/**
 * Creates middleware for a route that checks `req.params`, `req.query` and `req.body`, and replaces them by the output of
 * their schemas, with its types. What does not match becomes an error for the error handlers, with status 400, `type`
 * `'validation.failed'`, `part` and `issues`. It also checks the value of each `res.json` and sends the output of its
 * schema; what does not match becomes an error with status 500.
 *
 * @throws {TypeError} for a value that is not a Standard Schema.
 * @example app.get('/users/:id', validate({ params: z.object({ id: z.coerce.number() }) }), (req) => req.params.id);
 */
export function validate<const S extends Schemas>(
  schemas: S,
): (req: Validated<S>, res: core.Response<Sent<S>>, next: core.NextFunction) => void {
  const given: Schemas = ownOptions(schemas);
  for (const [name, schema] of Object.entries<StandardSchema | undefined>({ ...given }))
    if (schema !== undefined && typeof schema?.['~standard']?.validate !== 'function')
      throw new TypeError(`validate: ${name} must be a Standard Schema`);

  async function check(req: Checked): Promise<void> {
    for (const part of PARTS) {
      const { [part]: schema } = given;
      if (!schema) continue;
      const result = await schema['~standard'].validate(req[part]);
      if (result.issues) throw failure(400, part, result.issues);
      // `req.query` is a getter of the prototype.
      Object.defineProperty(req, part, { value: result.value, ...DATA_PROPERTY });
    }
  }

  const handler = named(
    'validate',
    (req: Checked, res: JsonResponse, next: (err?: unknown) => void): void => {
      const { response } = given;
      if (response) checkResponse(response, res, next);
      check(req).then(
        () => next(),
        (err: unknown) => next(rejection(err)),
      );
    },
  );
  // A cast: the types of the parts are those of the schemas.
  return Object.assign(handler, { [SCHEMAS]: schemas }) as never;
}

const DATA_PROPERTY = { configurable: true, enumerable: true, writable: true };

type Checked = IncomingMessage & Record<(typeof PARTS)[number], unknown>;
type JsonResponse = ServerResponse & { json(body?: unknown): unknown };

function checkResponse(schema: StandardSchema, res: JsonResponse, next: (err?: unknown) => void): void {
  const { json } = res;
  res.json = function (body) {
    // An error handler sends its own body.
    if (res.statusCode >= 400) return json.call(this, body);
    const result = schema['~standard'].validate(body);
    if ('then' in result) {
      // A rejection without a handler ends the process.
      result.then(ignore, ignore);
      throw new TypeError('validate: response must validate synchronously');
    }
    if (!result.issues) return json.call(this, result.value);
    res.json = json;
    next(failure(500, 'response', result.issues));
    return this;
  };
}

function failure(status: number, part: string, issues: readonly Issue[]): HttpError {
  const [first] = issues;
  const path = (first?.path ?? []).map((one) => String(typeof one === 'object' ? one.key : one));
  const message = `Invalid ${[part, ...path].join('.')}: ${first?.message}`;
  return createError(status, message, { type: 'validation.failed', part, issues });
}
