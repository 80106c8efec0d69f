/** `res.links` of Express 3 and 4. §9.3, E4-F30 · RFC 8288 */

interface Linkable {
  get(name: string): unknown;
  set(name: string, value: string): unknown;
}

/** Adds links to the header `Link`. The keys are relations. A list of URLs becomes one link with commas: `</a,/b>`. */
export function links<Res extends Linkable>(this: Res, given: Record<string, string>): Res {
  const former = this.get('Link');
  const added = Object.entries(given).map(([rel, url]) => `<${url}>; rel="${rel}"`);
  this.set('Link', (former ? `${former}, ` : '') + added.join(', '));
  return this;
}
