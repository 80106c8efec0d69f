/**
 * The settings that change behaviour: type, default, compilation and inheritance. §2.2
 *
 * Applications may store settings with other names; these have no default and are inherited. A compiled value is
 * another setting (`'etag fn'` and the like), which applications can read. `npm run generate -- settings` generates
 * `docs/settings.md` from this table.
 */
import { validateHeaderValue } from 'node:http';
import { resolve } from 'node:path';
import type { SettingsMap } from '../interface';
import { withCode } from '../internal/error-code';
import { sendWebBody } from '../response/web-body';
import type { AnyApplication } from '../types';
import { compileETag } from './etag';
import { compileQueryParser } from './query-parser';
import { compileStrictHost } from './strict-host';
import { checkStrictPaths, compileStrictPaths } from './strict-paths';
import { compileTrust } from './trust-proxy';
import { View } from './view';

export interface Setting<Value = unknown> {
  type: string;
  /** The default, which a mounted application keeps unless `yields` is true. Without one, it inherits a value. */
  default?(env: string): Value;
  /** True if a mounted application inherits the value of its parent in place of its own default. */
  yields?: true;
  /** Compiles a value for the setting `'<name> fn'`. Throws a TypeError for an invalid value. */
  compile?(value: Value): unknown;
  /** Throws a TypeError for an invalid value, before it is stored. */
  check?(value: Value): void;
  /** One sentence for docs/settings.md. */
  meaning: string;
}

// New applications set the defaults in this order.
export const settings: { readonly [Name in keyof SettingsMap]: Setting<SettingsMap[Name]> } = {
  'x-powered-by': {
    type: 'boolean or string',
    default: () => true,
    check: checkPoweredBy,
    meaning:
      'Sends the header `X-Powered-By`, which names the framework, or this text. Mounted applications send the text of their parent.',
  },
  etag: {
    type: 'boolean, `weak`, `strong` or function `(body, encoding)`',
    default: () => 'weak',
    compile: compileETag,
    meaning: 'How the `ETag` of dynamic responses is generated; `false`: no `ETag`.',
  },
  env: {
    type: 'string',
    default: (env) => env,
    meaning:
      'The environment. In `production`, error pages do not show the error. In `test`, errors are not logged.',
  },
  'query parser': {
    type: 'boolean, `simple`, `extended` or function `(query)`',
    default: () => 'simple',
    compile: compileQueryParser,
    meaning:
      'The parser of `req.query`. `simple`: node:querystring; `extended`: the package qs, for nested objects and arrays; `false`: none.',
  },
  'subdomain offset': {
    type: 'number',
    default: () => 2,
    meaning: 'The number of labels at the end of the host name that `req.subdomains` omits.',
  },
  'trust proxy': {
    type: 'boolean, number, string, array of strings or function `(address, hop)`',
    default: () => false,
    yields: true,
    compile: compileTrust,
    meaning: 'The proxies whose `X-Forwarded-*` headers are trusted.',
  },
  view: {
    type: 'class',
    default: () => View,
    meaning: 'The class that finds and renders views.',
  },
  views: {
    type: 'string or array',
    default: () => resolve('views'),
    meaning: 'The directory of the views, or several directories in search order.',
  },
  'jsonp callback name': {
    type: 'string',
    default: () => 'callback',
    meaning: 'The query parameter with the name of the JSONP callback.',
  },
  'view cache': {
    type: 'boolean',
    default: (env) => env === 'production' || undefined,
    meaning: 'Each view is looked up once and then cached.',
  },
  'case sensitive routing': {
    type: 'boolean',
    meaning:
      '`/Foo` and `/foo` are different routes. Must be set before the first route or middleware is added.',
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
  'strict body limit': {
    type: 'boolean',
    check: checkBoolean('strict body limit'),
    meaning:
      'A body above the `limit` of its parser gets a 413 response at once, and the connection is closed. Otherwise, the body is read to its end first. A compressed body may arrive with a quarter and 1 kB more. A transfer coding other than `chunked` gets 501.',
  },
  'strict host': {
    type: 'boolean',
    check: checkBoolean('strict host'),
    compile: compileStrictHost,
    meaning:
      'A request gets a 400 response unless its `Host`, or trusted `X-Forwarded-Host`, is one host name with an optional port.',
  },
  'strict paths': {
    type: 'boolean or `normalize`',
    check: checkStrictPaths,
    compile: compileStrictPaths,
    meaning:
      '`true`: a path that is not in its normal form gets a 400 response. `normalize`: it is converted. See [ambiguous paths](security/spellings.md).',
  },
  'strict routing': {
    type: 'boolean',
    meaning:
      '`/foo` and `/foo/` are different routes. Must be set before the first route or middleware is added.',
  },
  'view engine': {
    type: 'string',
    meaning: 'The extension of views whose name has none.',
  },
  'web bodies': {
    type: 'boolean',
    check: checkBoolean('web bodies'),
    compile: (value) => (value ? sendWebBody : undefined),
    meaning:
      '`res.send` streams a Blob, a ReadableStream or a Response of the fetch API. Otherwise, it sends them as `{}`. See [bodies of the web](web-bodies.md).',
  },
};

// The application may extend `Object.prototype`, for example with a property `default`. The table must not inherit it.
for (const each of [settings, ...Object.values(settings)]) Object.setPrototypeOf(each, null);

const settingsByName: Readonly<Record<string, Setting | undefined>> = settings;

/** Defaults of another series, by the name of the setting. `undefined`: the series has no default. */
export type Defaults = Partial<Readonly<Record<keyof SettingsMap, unknown>>>;

/** Sets the default settings of a new application: those of Express 5, or of `others` in place of them. */
export function setDefaults(app: AnyApplication, env: string, others: Defaults = {}): void {
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

function checkPoweredBy(value: unknown): void {
  if (typeof value !== 'string') return;
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
