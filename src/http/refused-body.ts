/** The requests whose body is too long or cannot be decoded, and which get their response before the body has ended. §2.10 */
const refused = new WeakSet<object>();

export function markRefused(req: object): void {
  refused.add(req);
}

/** Whether to respond at once, and not wait for the end of the body. */
export function isRefused(req: object): boolean {
  return refused.has(req);
}
