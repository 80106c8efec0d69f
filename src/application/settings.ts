/**
 * The settings that configure behaviour: name, default, what it compiles to, what a sub-application inherits. §2.2
 *
 * Any other name may be stored too; it has no default and is inherited. Compiled values are kept as settings
 * of their own (`'etag fn'` and its like), where programs and sub-applications find them.
 */
import { resolve } from 'node:path';
import type { Application } from '../types';
import { compileETag } from './etag';
import { compileQueryParser } from './query-parser';
import { compileTrust } from './trust-proxy';
import { View } from './view';

interface Setting {
  /** The value of a new application; absent: undefined. */
  default?: (env: string) => unknown;
  /** What the value is compiled to, stored as `'<name> fn'`. Throws for a value it does not know. */
  compile?: (value: unknown) => unknown;
  /**
   * What a sub-application that has not set it has after mounting: its parent's value (`always`), its own
   * default (`never`), or its parent's in the absence of a default of its own (`unless default`).
   */
  inherits: 'always' | 'never' | 'unless default';
}

// In the order a new application sets them.
export const settings: Readonly<Record<string, Setting>> = {
  'x-powered-by': { default: () => true, inherits: 'never' },
  etag: { default: () => 'weak', compile: compileETag, inherits: 'never' },
  env: { default: (env) => env, inherits: 'never' },
  'query parser': { default: () => 'simple', compile: compileQueryParser, inherits: 'never' },
  'subdomain offset': { default: () => 2, inherits: 'never' },
  'trust proxy': { default: () => false, compile: compileTrust, inherits: 'always' },
  view: { default: () => View, inherits: 'never' },
  views: { default: () => resolve('views'), inherits: 'never' },
  'jsonp callback name': { default: () => 'callback', inherits: 'never' },
  'view cache': { default: (env) => env === 'production' || undefined, inherits: 'unless default' },
  'case sensitive routing': { inherits: 'unless default' },
  'json escape': { inherits: 'unless default' },
  'json replacer': { inherits: 'unless default' },
  'json spaces': { inherits: 'unless default' },
  'strict routing': { inherits: 'unless default' },
  'view engine': { inherits: 'unless default' },
};

// Under this name, hidden, whether `trust proxy` still has its default. Programs test it under the same name.
const TRUST_PROXY_IS_DEFAULT = '@@symbol:trust_proxy_default';

/** Give a new application its defaults. */
export function setDefaults(app: Application, env: string): void {
  for (const [name, setting] of Object.entries(settings)) {
    const value = setting.default?.(env);
    if (value !== undefined) app.set(name, value);
  }
  markTrustProxy(app, true);
}

/**
 * Store a setting and what it compiles to.
 *
 * @throws {TypeError} for a value the setting does not know.
 */
export function setSetting(app: Application, name: string, value: unknown): void {
  app.settings[name] = value;
  const compile = settings[name]?.compile;
  if (!compile) return;
  app.set(`${name} fn`, compile(value));
  if (name === 'trust proxy') markTrustProxy(app, false);
}

/** Let a mounted application's settings fall back to its parent's. */
export function inheritSettings(app: Application, parent: Application): void {
  if (
    app.settings[TRUST_PROXY_IS_DEFAULT] === true &&
    typeof parent.settings['trust proxy fn'] === 'function'
  ) {
    delete app.settings['trust proxy'];
    delete app.settings['trust proxy fn'];
  }
  Object.setPrototypeOf(app.settings, parent.settings);
}

function markTrustProxy(app: Application, isDefault: boolean): void {
  Object.defineProperty(app.settings, TRUST_PROXY_IS_DEFAULT, { configurable: true, value: isDefault });
}
