/**
 * The settings that change behaviour: type, default, compilation and inheritance. §2.2
 *
 * An application may store settings with other names; they have no default and are inherited. A compiled value is a
 * setting of its own (`'etag fn'` and the like), which applications can read. `docs/settings.md` is generated from
 * this table.
 */
import { resolve } from 'node:path';
import type { SettingsMap } from '../interface';
import type { AnyApplication } from '../types';
import { compileETag } from './etag';
import { compileQueryParser } from './query-parser';
import { compileStrictHost } from './strict-host';
import { compileStrictPaths } from './strict-paths';
import { compileTrust } from './trust-proxy';
import { View } from './view';

export interface Setting<Value = unknown> {
  type: string;
  /**
   * The default of a new application. A mounted application keeps it. A setting without one is inherited from the
   * parent.
   */
  default?(env: string): Value;
  /** A mounted application deletes its default and inherits the value of its parent. */
  yields?: true;
  /** Compiles the value, which is stored as `'<name> fn'`. Throws for an invalid value. */
  compile?(value: Value): unknown;
  /** A sentence for the documentation. */
  meaning: string;
}

// A new application sets them in this order.
export const settings: { readonly [Name in keyof SettingsMap]: Setting<SettingsMap[Name]> } = {
  'x-powered-by': {
    type: 'boolean',
    default: () => true,
    meaning: 'Send the header `X-Powered-By`, which names the framework.',
  },
  etag: {
    type: 'boolean, `weak`, `strong` or function `(body, encoding)`',
    default: () => 'weak',
    compile: compileETag,
    meaning: 'How the `ETag` of dynamic responses is generated; `false` for none.',
  },
  env: {
    type: 'string',
    default: (env) => env,
    meaning: 'The environment. In `production` error pages hide the error, in `test` errors are not logged.',
  },
  'query parser': {
    type: 'boolean, `simple`, `extended` or function `(query)`',
    default: () => 'simple',
    compile: compileQueryParser,
    meaning: 'The parser of `req.query`: node:querystring, qs for nested objects and arrays, or none.',
  },
  'subdomain offset': {
    type: 'number',
    default: () => 2,
    meaning: 'How many labels of the host name are the domain itself, below which `req.subdomains` begin.',
  },
  'trust proxy': {
    type: 'boolean, number, string, array of strings or function `(address, hop)`',
    default: () => false,
    yields: true,
    compile: compileTrust,
    meaning: 'Whose `X-Forwarded-*` headers are trusted.',
  },
  view: {
    type: 'class',
    default: () => View,
    meaning: 'What finds a view and renders it.',
  },
  views: {
    type: 'string or array',
    default: () => resolve('views'),
    meaning: 'The directory of the views, or the directories in the order they are searched.',
  },
  'jsonp callback name': {
    type: 'string',
    default: () => 'callback',
    meaning: 'The query parameter in which JSONP clients name their callback.',
  },
  'view cache': {
    type: 'boolean',
    default: (env) => env === 'production' || undefined,
    meaning: 'A view is looked up once.',
  },
  'case sensitive routing': {
    type: 'boolean',
    meaning: '`/Foo` and `/foo` are different routes. Read when the first route is defined.',
  },
  'json escape': {
    type: 'boolean',
    meaning: 'JSON is sent with `<`, `>` and `&` as Unicode escape sequences.',
  },
  'json replacer': {
    type: 'function or array',
    meaning: 'The argument `replacer` of `JSON.stringify`.',
  },
  'json spaces': {
    type: 'number or string',
    meaning: 'The argument `space` of `JSON.stringify`.',
  },
  'strict host': {
    type: 'boolean',
    compile: compileStrictHost,
    meaning:
      'A request whose `Host`, or trusted `X-Forwarded-Host`, is not one host name with at most a port is answered 400.',
  },
  'strict paths': {
    type: 'boolean or `normalize`',
    compile: compileStrictPaths,
    meaning:
      'A path that is spelled otherwise than in its normal form is answered 400, or brought to it. See [the guard against spellings](security/spellings.md).',
  },
  'strict routing': {
    type: 'boolean',
    meaning: '`/foo` and `/foo/` are different routes. Read when the first route is defined.',
  },
  'view engine': {
    type: 'string',
    meaning: 'The extension of views that are named without one.',
  },
};

const settingsByName: Readonly<Record<string, Setting | undefined>> = settings;

/** Sets the defaults of a new application. */
export function setDefaults(app: AnyApplication, env: string): void {
  for (const [name, setting] of Object.entries<Setting>(settings)) {
    const value = setting.default?.(env);
    if (value !== undefined) app.set(name, value);
    if (setting.yields) markDefault(app, name, true);
  }
}

/**
 * Stores a setting and its compiled value.
 *
 * @throws {TypeError} for an invalid value.
 */
export function setSetting(app: AnyApplication, name: string, value: unknown): void {
  app.settings[name] = value;
  const setting = settingsByName[name];
  if (setting?.compile) app.set(`${name} fn`, setting.compile(value));
  if (setting?.yields) markDefault(app, name, false);
}

/** Makes a mounted application's settings inherit from its parent's. */
export function inheritSettings(app: AnyApplication, parent: AnyApplication): void {
  yieldDefaults(app, parent);
  Object.setPrototypeOf(app.settings, parent.settings);
}

/** Deletes the defaults of a mounted application for which its parent has a value. */
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

/** The name of the hidden setting that records whether `name` still has its default. Express uses the same name. */
function defaultMark(name: string): string {
  return `@@symbol:${name.replaceAll(' ', '_')}_default`;
}
