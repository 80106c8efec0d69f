/**
 * The types that the modules of this folder share: the public types of interface.ts with internal members.
 *
 * They are intersections, not interfaces, because `app` has a wider type in @types/express, which describes Express 5.
 */
import type * as core from '../types';
import type * as api from './interface';
import type { RouterInstance } from './router';

export type Request = api.Request & core.RequestState<Application, Response>;
export type Response = api.Response & core.ResponseState<Application, Request>;
export type Application = api.Express & core.ApplicationState<Application, Request, Response> & OwnState;

interface OwnState {
  param(name: unknown, fn?: unknown): this;
  /** The router; undefined until the first route or middleware. */
  _router?: RouterInstance;
}
