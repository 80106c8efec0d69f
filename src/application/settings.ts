/**
 * The settings that change behaviour: default, compilation and inheritance. `SettingsMap` says what they mean. §2.2
 *
 * Applications may store settings with other names; these have no default and are inherited. A compiled value is
 * another setting (`'etag fn'` and the like), which applications can read. `npm run generate -- settings` generates
 * `docs/settings.md` from this table and `SettingsMap`.
 */
import { validateHeaderValue } from 'node:http';
import { resolve } from 'node:path';
import type { SettingsMap } from '../interface';
import { withCode } from '../internal/error-code';
import { addedSettings } from '../internal/setting';
import { sendWebBody } from '../response/web-body';
import type { DefaultRules } from '../series';
import type { AnyApplication, RequestCheck } from '../types';
import { compileETag } from './etag';
import { compileQueryParser } from './query-parser';
import { compileStrictHost } from './strict-host';
import { checkStrictPaths, compileStrictPaths } from './strict-paths';
import { compileTrust } from './trust-proxy';
import { View } from './view';

export interface Setting<Value = unknown> {
  /** The default, which a mounted application keeps unless `yields` is true. Without one, it inherits a value. */
  default?(env: string): Value;
  /** True if a mounted application inherits the value of its parent in place of its own default. */
  yields?: true;
  /** Compiles a value for the setting `'<name> fn'`. Throws a TypeError for an invalid value. */
  compile?(value: Value): unknown;
  /** Throws a TypeError for an invalid value, before it is stored. */
  check?(value: Value): void;
}

// New applications set the defaults in this order.
export const settings: { readonly [Name in keyof SettingsMap]: Setting<SettingsMap[Name]> } = {
  'x-powered-by': { default: () => true, check: checkPoweredBy },
  etag: { default: () => 'weak', compile: compileETag },
  env: { default: (env) => env },
  'query parser': { default: () => 'simple', compile: compileQueryParser },
  'subdomain offset': { default: () => 2 },
  'trust proxy': { default: () => false, yields: true, compile: compileTrust },
  view: { default: () => View },
  views: { default: () => resolve('views') },
  'jsonp callback name': { default: () => 'callback' },
  'view cache': { default: (env) => env === 'production' || undefined },
  'case sensitive routing': {},
  'json escape': {},
  'json replacer': {},
  'json spaces': {},
  'own connection': { check: checkBoolean('own connection') },
  'strict body limit': { check: checkBoolean('strict body limit') },
  'strict host': { check: checkBoolean('strict host'), compile: used(compileStrictHost) },
  'strict paths': { check: checkStrictPaths, compile: used(compileStrictPaths) },
  'strict routing': {},
  'view engine': {},
  'web bodies': {
    check: checkBoolean('web bodies'),
    compile: (value) => (value ? sendWebBody : undefined),
  },
};

// The application may extend `Object.prototype`, for example with a property `default`. The table must not inherit it.
for (const each of [settings, ...Object.values(settings)]) Object.setPrototypeOf(each, null);

const settingsByName: Readonly<Record<string, Setting | undefined>> = settings;

/** Sets the default settings of a new application: those of Express 5, or of `others` in place of them. */
export function setDefaults(app: AnyApplication, env: string, others: DefaultRules['defaults']): void {
  for (const [name, setting] of Object.entries<Setting>(settings)) {
    const value = Object.hasOwn(others, name) ? Reflect.get(others, name) : setting.default?.(env);
    // As in Express, so that an application that overrides `enable` is called.
    if (value === true) app.enable(name);
    else if (value !== undefined) app.set(name, value);
    if (setting.yields) markDefault(app, name, true);
  }
}

/** Stores a setting and its compiled value. @throws {TypeError} for an invalid value. */
export function setSetting(app: AnyApplication, name: string, value: unknown): void {
  const setting = settingsByName[name];
  setting?.check?.(value);
  app.settings[name] = value;
  if (setting?.compile) app.set(`${name} fn`, setting.compile(value));
  if (setting?.yields) markDefault(app, name, false);
}

function checkBoolean(name: string): (value: unknown) => void {
  return (value) => {
    if (typeof value === 'boolean') return;
    throw withCode(
      new TypeError(`unknown value for ${name}: ${value}; use true or false`),
      'NOZOMI_SETTING_VALUE',
    );
  };
}

/** Notes that an application has set a check of each request. */
function used<Value>(
  compile: (value: Value) => RequestCheck | undefined,
): (value: Value) => RequestCheck | undefined {
  return (value) => {
    const check = compile(value);
    if (check) addedSettings.areUsed = true;
    return check;
  };
}

function checkPoweredBy(value: unknown): void {
  if (typeof value !== 'string') return;
  addedSettings.areUsed = true;
  try {
    validateHeaderValue('X-Powered-By', value);
  } catch (cause) {
    const message = `invalid text for x-powered-by: ${JSON.stringify(value)}; a header cannot contain it`;
    throw withCode(new TypeError(message, { cause }), 'NOZOMI_SETTING_VALUE');
  }
}

export function inheritSettings(app: AnyApplication, parent: AnyApplication): void {
  yieldDefaults(app, parent);
  Object.setPrototypeOf(app.settings, parent.settings);
}

/** Deletes those defaults of a mounted application that give way to a value of its parent (`Setting.yields`). */
export function yieldDefaults(app: AnyApplication, parent: AnyApplication): void {
  for (const [name, { yields }] of Object.entries(settings)) {
    if (!yields || app.settings[defaultMark(name)] !== true) continue;
    if (typeof parent.settings[`${name} fn`] !== 'function') continue;
    delete app.settings[name];
    delete app.settings[`${name} fn`];
  }
}

function markDefault(app: AnyApplication, name: string, isDefault: boolean): void {
  Object.defineProperty(app.settings, defaultMark(name), { configurable: true, value: isDefault });
}

/**
 * Returns the name of the hidden setting that says whether `name` still has its default. Express uses the same name.
 */
function defaultMark(name: string): string {
  return `@@symbol:${name.replaceAll(' ', '_')}_default`;
}
