/** Parses media types by the rules of content-type 1.0 and type-is 1.6. E4-E11, E4-F23, E4-F24, E4-G10 */

interface MediaType {
  /** Type and subtype in lower case. */
  type: string;
  parameters: Record<string, string>;
}

const TEXT = /^[\v -~\x80-\xff]*$/;
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
const TYPE = /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+$/;
/** A media type with the syntax of RFC 6838 §4.2, which type-is requires. */
const REGISTRABLE = /^ *[A-Za-z0-9][\w!#$&^-]{0,126}\/[A-Za-z0-9][\w!#$&^.+-]{0,126} *$/;
const PARAMETER =
  /; *([!#$%&'*+.^_`|~\w-]+) *= *("(?:[ !#-[\]-~\x80-\xff]|\\[ -~\x80-\xff])*"|[!#$%&'*+.^_`|~\w-]+) */gy;

/** Parses a media type and its parameters. @throws {TypeError} for an invalid media type or malformed parameters. */
export function parseStrictly(text: string): MediaType {
  const end = text.indexOf(';');
  const type = (end === -1 ? text : text.slice(0, end)).trim();
  if (!TYPE.test(type)) throw new TypeError('invalid media type');
  return { type: type.toLowerCase(), parameters: end === -1 ? {} : readParameters(text, end) };
}

/** Returns the media type of `Content-Type` without parameters; undefined if the header is missing or malformed. */
export function typeOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const end = header.indexOf(';');
  const type = end === -1 ? header : header.slice(0, end);
  if (!REGISTRABLE.test(type)) return undefined;
  try {
    if (end !== -1) readParameters(header, end);
  } catch {
    return undefined;
  }
  return type.trim().toLowerCase();
}

/**
 * Replaces the charset of a media type. The result has its parameters sorted by name, as in content-type 1.0.
 *
 * @throws {TypeError} for an invalid media type.
 */
export function setCharset(text: string, charset: string): string {
  if (!text || !charset) return text;
  const { type, parameters } = parseStrictly(text);
  parameters.charset = charset;
  const sorted = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
  return [type, ...sorted.map(([name, value]) => `${name}=${quote(value)}`)].join('; ');
}

function readParameters(text: string, start: number): Record<string, string> {
  const parameters: Record<string, string> = {};
  PARAMETER.lastIndex = start;
  let end = start;
  for (let found = PARAMETER.exec(text); found; found = PARAMETER.exec(text)) {
    const [match, name = '', value = ''] = found;
    end = found.index + match.length;
    parameters[name.toLowerCase()] = value[0] === '"' ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
  }
  if (end !== text.length) throw new TypeError('invalid parameter format');
  return parameters;
}

function quote(value: unknown): string {
  const text = String(value);
  if (!TEXT.test(text)) throw new TypeError('invalid parameter value');
  return TOKEN.test(text) ? text : `"${text.replace(/([\\"])/g, '\\$1')}"`;
}
