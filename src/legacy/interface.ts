/** The public types that Express 3 and 4 share. */

/** The type of `res.send`, `res.json` and `res.jsonp`. */
export interface Send<ResBody, Result> {
  /** @deprecated Use `res.status(status).send(body)`. */
  (status: number, body: ResBody): Result;
  /** @deprecated Use `res.status(status).send(body)`. */
  (body: ResBody, status: number): Result;
  // Last, because TypeScript infers from the last signature.
  (body?: ResBody): Result;
}

/** The deprecated `res.send(status)`. It refuses `any`, because a value of type `any` could be a body. */
export interface SendStatus<Result> {
  /** @deprecated Use `res.sendStatus(status)`. */
  <Status extends number>(status: 0 extends 1 & Status ? never : Status): Result;
}
