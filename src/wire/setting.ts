/**
 * Reads the settings of an application as Express does: through its `get` and `enabled`, if the application overrides
 * them; otherwise directly. §2.2
 */
import type { AnyApplication, Settings } from '../types';

/** The methods that an application was created with. */
export interface SettingMethods {
  readonly get: unknown;
  readonly set: unknown;
  readonly enabled: unknown;
}

const kMethods: unique symbol = Symbol('nozomi.settingMethods');

type WithMethods = AnyApplication & { readonly [kMethods]?: SettingMethods };

export function pickSettingMethods(members: object): SettingMethods {
  const { get, set, enabled } = members as SettingMethods;
  return { get, set, enabled };
}

/** @param methods The series' own methods, before code could override them. */
export function keepSettingMethods(app: AnyApplication, methods: SettingMethods): void {
  Object.defineProperty(app, kMethods, { value: methods });
}

/** As `app.get(name)`. */
export function readSetting<Name extends keyof Settings>(app: AnyApplication, name: Name): Settings[Name] {
  return isRead(app) ? app.settings[name] : (app.get(`${name}`) as Settings[Name]);
}

/** As `app.enabled(name)`. */
export function isEnabled(app: WithMethods, name: string): boolean {
  // An application may have deleted `req.app`: the call then throws as in Express.
  const own = app?.[kMethods];
  if (own && app.enabled === own.enabled && app.set === own.set) return Boolean(app.settings[name]);
  return app.enabled(name);
}

function isRead(app: WithMethods): boolean {
  const own = app?.[kMethods];
  return own !== undefined && app.get === own.get && app.set === own.set;
}
