/** Copies all enumerable properties, also inherited ones, as Express 4 and 3 copy options and locals. E4-A31 */
export function withInherited(object: object | null | undefined): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  // The application may pass a string.
  const from = Object(object);
  for (const name in from) copy[name] = from[name];
  return copy;
}
