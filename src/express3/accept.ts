/** Parses `Accept`, `Accept-Charset` and `Accept-Language` as Express 3 does. §9.3 `req.accepts`, `req.accepted` */
import { readParameters } from '../http/media-type';
import { mime } from './mime';
import type { Accepted, Preference } from './types';

/**
 * Parses a header such as `Accept-Language`.
 *
 * @returns Its values, most preferred first. Values with `q=0` or an invalid `q` are dropped.
 */
export function parsePreferences(field: string | undefined): Preference[] {
  if (!field) return [];
  return field
    .split(',')
    .map((entry, index) => parseEntry(entry.trim(), index))
    .filter(({ quality }) => quality)
    .sort((a, b) => b.quality - a.quality || a.originalIndex - b.originalIndex);
}

export function parseAccepted(field: string | undefined): Accepted[] {
  return parsePreferences(field).map((preference) => {
    const [type = '', subtype] = preference.value.split('/');
    return { ...preference, type, subtype };
  });
}

/**
 * Picks the offered type that the client prefers.
 *
 * @param offered Media types or file extensions.
 * @param field The header `Accept`. Without it, the client accepts everything.
 * @returns The preferred item of `offered`; undefined if the client accepts none of them.
 */
export function pickPreferred(offered: readonly string[], field: string | undefined): string | undefined {
  if (!field) return offered[0];
  const types = offered.map(parseOffer);
  for (const accepted of parseAccepted(field)) {
    const index = types.findIndex((type) => isAccepted(type, accepted));
    if (index !== -1) return offered[index];
  }
  return undefined;
}

/** Parses a media type with its parameters. A file extension is converted to its media type first. */
export function parseOffer(offer: string): Preference {
  return parseEntry(offer.includes('/') ? offer : mime.lookup(offer), 0);
}

function isAccepted({ value, params }: Preference, accepted: Accepted): boolean {
  const [type, subtype] = value.split('/');
  return (
    (accepted.type === '*' || accepted.type === type) &&
    (accepted.subtype === '*' || accepted.subtype === subtype) &&
    Object.entries(params).every(([name, wanted]) => accepted.params[name] === wanted)
  );
}

function parseEntry(entry: string, originalIndex: number): Preference {
  const [value = '', ...parameters] = entry.split(';').map((part) => part.trim());
  return { value, ...readParameters(parameters, splitParameter), originalIndex };
}

function splitParameter(parameter: string): string[] | undefined {
  const parts = parameter.split('=').map((part) => part.trim());
  return parts[0] === '__proto__' ? undefined : parts;
}
