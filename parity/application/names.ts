/** Compares the names of values: `orderId`, `order_id` and the segment after `/orders/` all name the id of an order. */

/** Where a request uses a value, or a response has one. */
export interface Named {
  /** The name of the member, parameter, header or cookie; undefined if the value has none, as a segment of a path. */
  readonly name: string | undefined;
  /** What the value belongs to: the segment before it, the object around it, or the resource of the request. */
  readonly owners: readonly string[];
}

/** Names that say nothing about the owner of an id. */
const GENERIC = /^(?:id|uuid|guid|key|slug|code|number|no|ref)$/;
/** Names with such an ending are ids of what the rest of the name says. */
const ID_SUFFIX =
  /(?:[-_ ](?:id|uuid|guid|key|slug|code|number|no|ref)|(?:I[dD]|Uuid|Guid|Key|Slug|Code|Number|No|Ref))$/;
/** Values that a client repeats under the same name, although they are no ids. */
const REPEATED =
  /^(?:.*(?:version|revision|rev|cursor|nonce|csrf|xsrf|state|ticket|token|etag|since|otp|pin)|after|before|next|last-modified|etag)$/;
/** Members around the data of a response that say nothing about it. */
const WRAPPER =
  /^(?:data|results?|items?|rows?|lists?|records?|contents?|payload|response|body|values?|entr(?:y|ies)|attributes|params|input|args|variables|nodes?|edges?|hits?|docs?|json|query)$/;

/** Whether a value is an id or a token, wherever it is: no other value is equal by accident. */
export function isToken(value: string): boolean {
  if (/^masked-[\da-f]{4}/.test(value)) return true;
  if (/\s|^\d{4}-\d\d-\d\d|^-?\d{1,9}(?:\.\d*)?$|^[a-z]+:\/\//i.test(value)) return false;
  return /^(?=.*\d).{8}|^.{16}/s.test(value);
}

/** Returns a name in lower case, without separators and leading underscore. */
function plain(name: string): string {
  return name.replace(/[-_ ]/g, '').toLowerCase();
}

/** Returns the last word of a name in lower case and singular: `order` for `newOrders` and `order_id`. */
function entityOf(name: string): string {
  const words = name.replace(ID_SUFFIX, '').match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];
  return (words.at(-1) ?? '')
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(s|x|z|ch|sh)es$/, '$1')
    .replace(/(?<=..)s$/, '');
}

/** Returns the owners of a value: what its own name says, or else what is around it. */
export function ownersOf(name: string | undefined, around: readonly string[]): string[] {
  if (name !== undefined && !GENERIC.test(plain(name))) return [entityOf(name)].filter(Boolean);
  const owners: string[] = [];
  for (const one of around.toReversed()) {
    owners.push(entityOf(one));
    if (!WRAPPER.test(one)) break;
  }
  return owners.filter(Boolean);
}

/** Whether the value at such a place of a response may be an id that requests repeat, however short it is. */
function isIdPlace(name: string | undefined): boolean {
  if (name === undefined) return true;
  return (
    GENERIC.test(plain(name)) || ID_SUFFIX.test(name) || REPEATED.test(name.replace(/^_/, '').toLowerCase())
  );
}

/** How well the names of two places fit: 0 if the value of one is not that of the other, unless it is a token. */
export function howWell(use: Named, source: Named): 0 | 1 | 2 | 3 {
  if (!isIdPlace(source.name)) return 0;
  const asked = plain(use.name ?? '');
  const given = plain(source.name ?? '');
  const isRepeated = source.name !== undefined && REPEATED.test(source.name.replace(/^_/, '').toLowerCase());
  if (isRepeated) return asked === given && asked !== '' ? 3 : 0;
  if (use.owners.some((owner) => source.owners.includes(owner))) return 3;
  if (asked === '' || asked !== given) return 0;
  return GENERIC.test(asked) ? 1 : 2;
}

/** Returns the segments of a path that name resources, not those that are ids: `api`, `orders`. */
export function resourcesOf(target: string): string[] {
  const [path = ''] = target.split(/[?#]/, 1);
  return path.split('/').filter((segment) => /^[a-z][a-z_.-]*$/i.test(segment) && !isToken(segment));
}
