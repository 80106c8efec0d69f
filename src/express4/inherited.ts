/**
 * Copies all enumerable properties of an object, also inherited ones, as Express 4 does for options and locals.
 * E4-A31
 */
export function withInherited(object: object | null | undefined): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name in object) copy[name] = Reflect.get(object, name);
  return copy;
}
