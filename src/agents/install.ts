/**
 * Loads the adapters for APM agents. Agents find files of `express` and `router` by package, version and path, so the
 * build copies `agents/express` and `agents/router` to `dist/node_modules`. The adapters only wrap or re-export
 * functions; without that folder the package works the same. §4.3
 */
import type { CoreParts } from '../application/handle';
import type { Framework } from '../framework';
import type { RouterConstructor } from '../routing/router';
import { optional } from './optional';

/**
 * Loads the adapters if the package contains them.
 *
 * @param parts What applications are assembled from.
 * @returns The framework, or the object that an APM agent put in its place.
 */
export function installAdapters(framework: Framework, parts: CoreParts): Framework {
  const Router = optional<RouterConstructor>(() => require('../node_modules/router/index.js'));
  if (Router) {
    framework.Router = Router;
    parts.Router = Router;
  }
  return optional<Framework>(() => require('../node_modules/express/lib/express.js')) ?? framework;
}
