/** Reads a setting: through `get` and `enabled` only if the application overrides them, as Express does. §2.2 */
import type { AnyApplication, Settings } from '../types';

/** The methods for settings that an application has when it is created. */
export interface SettingMethods {
  readonly get: unknown;
  readonly set: unknown;
  readonly enabled: unknown;
}

const kMethods: unique symbol = Symbol('nozomi.settingMethods');

type WithMethods = AnyApplication & { readonly [kMethods]?: SettingMethods };

export function pickSettingMethods({ get, set, enabled }: Partial<SettingMethods>): SettingMethods {
  return { get, set, enabled };
}

/**
 * Stores the original methods for settings on an application, to find out later whether it has overridden one.
 *
 * @param methods The methods of the application's Express version.
 */
export function keepSettingMethods(app: AnyApplication, methods: SettingMethods): void {
  Object.defineProperty(app, kMethods, { value: methods });
}

/** Returns `app.get(name)`, without calling `get` if the application has overridden neither `get` nor `set`. */
export function readSetting<Name extends string>(app: AnyApplication, name: Name): Settings[Name] {
  return isRead(app) ? app.settings[name] : app.get(name);
}

/**
 * Returns `app.enabled(name)`, without calling `enabled` if the application has overridden neither `enabled` nor `set`.
 */
export function isEnabled(app: WithMethods, name: string): boolean {
  // `app` is undefined if the application has deleted `req.app`. The call below then throws, as in Express.
  const own = app?.[kMethods];
  if (own && app.enabled === own.enabled && app.set === own.set) return Boolean(app.settings[name]);
  return app.enabled(name);
}

/** Returns a setting that Express does not have. An addition to `Object.prototype` neither sets it nor hides it. */
export function addedSetting<Name extends keyof Settings>(
  app: Partial<Pick<AnyApplication, 'settings'>> | undefined,
  name: Name,
): Settings[Name] | undefined {
  const settings = app?.settings;
  if (settings?.[name] === undefined) return undefined;
  // The settings of a mounted application inherit from those of its parents, and at the end from Object.prototype.
  let own: Settings | null = settings;
  do {
    if (Object.hasOwn(own, name)) return own[name];
    own = Object.getPrototypeOf(own);
  } while (own && Object.getPrototypeOf(own));
  return undefined;
}

function isRead(app: WithMethods): boolean {
  const own = app?.[kMethods];
  return own !== undefined && app.get === own.get && app.set === own.set;
}

/**
 * Whether an application of this process has used one of the settings that this package adds to the start of a request:
 * `strict host`, `strict paths`, or a text as `x-powered-by`. Until then, no request looks for them.
 */
export const addedSettings = { areUsed: false };
