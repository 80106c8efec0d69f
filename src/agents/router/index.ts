/**
 * `router`: APM agents find the constructor of routers and its methods here. New Relic and Sentry rewrite the source of
 * this file, and search it for assignments to `use`, `route` and `param`. §4.3
 */
import deprecateFor from 'depd';
import { Router, warnings } from '../../routing/router';
import './lib/layer';

const prototype: Record<'use' | 'route' | 'param', (...args: never[]) => unknown> = Router.prototype;
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

warnings.deprecate = deprecateFor('router');

export = Router;
