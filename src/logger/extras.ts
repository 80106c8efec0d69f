/** The options `fields` and `redact` of the formats `json`, `ecs` and `otel`, which morgan does not have. */
import type { LoggedRequest, LoggedResponse } from './logged-messages';

/** What the options of one logger add to its lines, and hide in them. */
export interface Extras {
  /** The fields of the application. */
  fields(req: LoggedRequest, res: LoggedResponse): object;
  /** Hides the values of parameters in the query of a URL. */
  hideInUrl(url: string | null): string | null;
  /** Hides values in a line, or in the attributes of one. */
  hide(line: object): void;
}

export interface ExtraOptions {
  fields?(req: LoggedRequest, res: LoggedResponse): object | null | undefined;
  redact?: readonly string[] | Redaction | undefined;
}

interface Redaction {
  readonly paths: readonly string[];
  readonly censor?: string | undefined;
  readonly remove?: boolean | undefined;
}

const QUERY = 'query.';

/** Reads the options; undefined without one of them, so that a logger without them has no further work. */
export function extrasOf({ fields, redact }: ExtraOptions): Extras | undefined {
  if (!fields && !redact) return undefined;
  const {
    paths,
    censor = '[Redacted]',
    remove = false,
  }: Redaction = isList(redact) ? { paths: redact } : (redact ?? { paths: [] });
  const names = new Set(
    paths.filter((path) => path.startsWith(QUERY)).map((path) => path.slice(QUERY.length).toLowerCase()),
  );
  const others = paths.filter((path) => !path.startsWith(QUERY)).map((path) => path.split('.'));
  return {
    fields: (req, res) => Object(fields?.(req, res)),
    hideInUrl: (url) =>
      url === null || names.size === 0 ? url : hideInQuery(url, names, remove ? '' : censor),
    hide(line) {
      for (const keys of others) hideAt(line, keys, remove ? undefined : censor);
    },
  };
}

function isList(redact: ExtraOptions['redact']): redact is readonly string[] {
  return Array.isArray(redact);
}

function hideInQuery(url: string, names: ReadonlySet<string>, censor: string): string {
  const start = url.indexOf('?') + 1;
  if (start === 0) return url;
  const parameters = url
    .slice(start)
    .split('&')
    .map((parameter) => {
      const [name = ''] = parameter.split('=', 1);
      const isHidden =
        name.length < parameter.length && (names.has('*') || names.has(decoded(name).toLowerCase()));
      return isHidden ? `${name}=${censor}` : parameter;
    });
  return url.slice(0, start) + parameters.join('&');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/**
 * Hides a value. Objects on the way to it are copied, because they may belong to the application.
 *
 * @param keys The parts of a path. A name such as `log.level` may consist of several; `*` is any name.
 */
function hideAt(object: object, keys: readonly string[], censor: string | undefined): void {
  for (let length = keys.length; length > 0; length--) {
    const name = keys.slice(0, length).join('.');
    const rest = keys.slice(length);
    const found = name === '*' ? Object.keys(object) : Object.hasOwn(object, name) ? [name] : [];
    for (const key of found) {
      const value: unknown = Reflect.get(object, key);
      if (rest.length === 0) {
        // `null` and undefined mean that a value is unknown.
        if (value !== null && value !== undefined) Reflect.set(object, key, censor);
      } else if (typeof value === 'object' && value !== null) {
        const copy = Array.isArray(value) ? [...value] : { ...value };
        Reflect.set(object, key, copy);
        hideAt(copy, rest, censor);
      }
    }
  }
}
