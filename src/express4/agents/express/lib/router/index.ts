/**
 * Replaces `express/lib/router` of Express 4 for APM agents, and for libraries that require this file by its path. New
 * Relic and Sentry rewrite the source of this file, and search it for assignments to `use`, `route` and `param`. E4-M
 */
import deprecateFor from 'depd';
import { Router, warnings } from '../../../../router';
import './layer';

const prototype: Record<'use' | 'route' | 'param', (...args: never[]) => unknown> = Router;
const { use: addLayers, route: addRoute, param: addParam } = prototype;

prototype.use = function use(first: unknown, ...others: unknown[]): unknown {
  return Reflect.apply(addLayers, this, [first, ...others]);
};

prototype.route = function route(path: unknown): unknown {
  return Reflect.apply(addRoute, this, [path]);
};

prototype.param = function param(name: unknown, fn?: unknown): unknown {
  return Reflect.apply(addParam, this, [name, fn]);
};

warnings.deprecate = deprecateFor('express');

export = Router;
