/**
 * `router`: APM agents find the constructor of routers and its methods here. New Relic and Sentry rewrite the source of
 * this file, and search it for assignments to `use`, `route` and `param`. §4.3
 */
import deprecateFor from 'depd';
import { PublicLayer, used } from '../../routing/layer';
import { Router, warnings } from '../../routing/router';
import Layer from './lib/layer';

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

if (Layer !== PublicLayer) used.Layer = Layer;

warnings.deprecate = deprecateFor('router');

export = Router;
