/** `describeRoute`: adds fields to the OpenAPI operation of a route, such as a summary, tags or responses. */
import type * as core from 'express-serve-static-core';
import { named } from '../internal/named';
import { ownOptions } from '../internal/own-options';

/**
 * The fields of an operation, as in OpenAPI 3.1. Wherever OpenAPI takes a schema, it may also be a Standard Schema of zod,
 * valibot, arktype or another library.
 */
export interface OperationFields {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  /** `[]` for a route that needs none. */
  readonly security?: ReadonlyArray<Readonly<Record<string, readonly string[]>>>;
  /** By status, such as `404`; `schema` stands for the content `application/json`. */
  readonly responses?: Readonly<Record<string, ResponseFields>>;
  /** Whether to leave the route out. */
  readonly hide?: boolean;
  /** Further fields, such as `externalDocs`, and extensions that begin with `x-`. */
  readonly [field: string]: unknown;
}

export interface ResponseFields {
  readonly description?: string;
  readonly schema?: unknown;
  readonly [field: string]: unknown;
}

const kFields = Symbol('fields');

/**
 * Describes the route that it is a handler of. With `use`, it describes all routes that the same application or router
 * adds later: their own fields come first, `tags` and `responses` are added.
 *
 * @example router.get('/', describeRoute({ tags: ['users'], responses: { 404: { description: 'No such user' } } }), show);
 */
export function describeRoute(fields: OperationFields): core.RequestHandler {
  const handler: core.RequestHandler = (_req, _res, next) => next();
  return Object.assign(named('describeRoute', handler), { [kFields]: ownOptions(fields) });
}

/** Returns the fields of a handler that `describeRoute` created, otherwise undefined. */
export function fieldsOf(handler: unknown): OperationFields | undefined {
  return Reflect.get(Object(handler), kFields);
}
