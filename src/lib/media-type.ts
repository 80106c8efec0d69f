/** Media types as `express/lib/utils` reads and writes them. */
import { format, parse } from 'content-type';
import mime from 'mime-types';

export interface NormalizedType {
  value: string;
  /** The parameter `q`; NaN when it is no number. Absent for an extension. */
  quality?: number;
  params: Record<string, string>;
}

/** A media type with its parameters, or an extension, as a value with parameters. */
export function normalizeType(type: string): NormalizedType {
  if (!type.includes('/')) return { value: mime.lookup(type) || 'application/octet-stream', params: {} };

  const [value, ...parameters] = type.split(';') as [string, ...string[]];
  const normalized: Required<NormalizedType> = { value: value.trim(), quality: 1, params: {} };
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=');
    if (equals === -1) continue;
    const name = parameter.slice(0, equals).trim();
    const text = parameter.slice(equals + 1).trim();
    if (name === 'q') normalized.quality = Number.parseFloat(text);
    else normalized.params[name] = text;
  }
  return normalized;
}

/** The content type with that charset; without one of the two, the type as it is. */
export function setCharset(type: string, charset: string): string {
  if (!type || !charset) return type;
  const parsed = parse(type);
  parsed.parameters.charset = charset;
  return format(parsed);
}
