/**
 * Reads the settings of an application. Like Express, it calls `get` and `enabled` of the application if the
 * application overrides them; otherwise it reads the setting directly. §2.2
 */
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

/** @param methods The methods of the application's Express version, before any code could override them. */
export function keepSettingMethods(app: AnyApplication, methods: SettingMethods): void {
  Object.defineProperty(app, kMethods, { value: methods });
}

/** Does the same as `app.get(name)`. */
export function readSetting<Name extends string>(app: AnyApplication, name: Name): Settings[Name] {
  return isRead(app) ? app.settings[name] : app.get(name);
}

/** Does the same as `app.enabled(name)`. */
export function isEnabled(app: WithMethods, name: string): boolean {
  // If the application has deleted `req.app`, the call below throws, as in Express.
  const own = app?.[kMethods];
  if (own && app.enabled === own.enabled && app.set === own.set) return Boolean(app.settings[name]);
  return app.enabled(name);
}

function isRead(app: WithMethods): boolean {
  const own = app?.[kMethods];
  return own !== undefined && app.get === own.get && app.set === own.set;
}
