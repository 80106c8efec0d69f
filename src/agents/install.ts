/**
 * Adapters for APM agents, which look for files of `express` and `router` by package, version and path: the build puts
 * `agents/express` and `agents/router` below `dist/node_modules`. They only wrap or re-export: a copy of the package
 * that lost that folder works the same. §4.3
 */
import { setRouterConstructor } from '../application/application';
import type { Framework } from '../framework';
import type { RouterConstructor } from '../routing/router';
import { optional } from './optional';

/** Load the adapters, if they are there. @returns The framework, or what an agent put in its place. */
export function installAdapters(framework: Framework): Framework {
  const Router = optional<RouterConstructor>(() => require('../node_modules/router/index.js'));
  if (Router) {
    framework.Router = Router;
    setRouterConstructor(Router);
  }
  return optional<Framework>(() => require('../node_modules/express/lib/express.js')) ?? framework;
}
