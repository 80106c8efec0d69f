/** Splits the URLs of recordings without changing them: `URL` would resolve `..` and encode characters. */
import { isUrl } from '../corpus/har';

/** `http://shop.test/a?b` is the authority `shop.test` and the target `/a?b`. */
const PARTS = /^(?:(https?):\/\/([^/?#]*))?([^#]*)/is;

export interface UrlParts {
  /** Such as `https://shop.test`, without the default port; undefined for a path. */
  readonly origin: string | undefined;
  /** The value for `Host`; undefined for a path. */
  readonly host: string | undefined;
  readonly target: string;
}

/**
 * Returns the parts of an `http:` or `https:` URL, or of a path, with the characters of the target as they are. Only
 * characters that no request line can contain, such as spaces, are percent-encoded.
 *
 * @returns `undefined` for any other text.
 */
export function splitUrl(text: string): UrlParts | undefined {
  const [, scheme, authority = '', rest = ''] = PARTS.exec(text) ?? [];
  if (scheme === undefined)
    return text.startsWith('/') ? { origin: undefined, host: undefined, target: sendable(rest) } : undefined;
  const start = `${scheme}://${authority}`;
  if (!isUrl(start)) return undefined;
  const { origin, host } = new URL(start);
  return { origin, host, target: sendable(rest.startsWith('/') ? rest : `/${rest}`) };
}

/** Encodes what is not visible ASCII. */
function sendable(target: string): string {
  return target.replace(/[^!-~]+/g, (text) => encodeURIComponent(Buffer.from(text).toString()));
}
