/**
 * The layers of a router: a plain-looking array that programs may change at any time, and its index. §2.5
 *
 * The array a router starts with is shown to programs through a proxy, which notes every change but
 * appending by the router itself; the walk reads the array behind it. An array that a program assigned
 * stays the program's own, behind no proxy, so it is compared with what was indexed at every look.
 */
import type { AnyLayer } from './dialect';
import { LayerIndex } from './index-of-layers';

/** What has layers: a router. */
export interface Stacked {
  stack: AnyLayer[];
  [kStack]?: Stack;
}

const kStack: unique symbol = Symbol('nozomi.stack');

/** The stack of a router as its member `stack` is now. */
export function stackOf(router: Stacked): Stack {
  const known = router[kStack];
  if (known && known.view === router.stack) return known;
  const stack = views.get(router.stack) ?? new Stack(router.stack);
  Object.defineProperty(router, kStack, { value: stack, configurable: true });
  return stack;
}

// So that an array put aside and put back, or shared with another router, is still observed.
const views = new WeakMap<AnyLayer[], Stack>();

export class Stack {
  /** The live array. Read it, but change it through `append` or `view`. */
  readonly layers: AnyLayer[];
  /** What programs see as `router.stack`. */
  readonly view: AnyLayer[];
  #index = new LayerIndex();
  /** The layers as they were indexed; undefined where a proxy tells of changes. */
  readonly #indexed: AnyLayer[] | undefined;

  /** @param assigned The program's own array, if it gave one. */
  constructor(assigned?: AnyLayer[]) {
    this.layers = assigned ?? [];
    this.view = assigned ?? new Proxy(this.layers, this.#observer());
    if (assigned) this.#indexed = [];
    else views.set(this.view, this);
  }

  append(layer: AnyLayer): void {
    this.layers.push(layer);
  }

  /** The index of the layers as they are now: another one when any was moved, the same when some were added. */
  index(): LayerIndex {
    if (this.#indexed && !isPrefix(this.#indexed, this.layers)) this.#forget();
    for (let i = this.#index.size; i < this.layers.length; i++) {
      const layer = this.layers[i] as AnyLayer;
      this.#index.add(layer);
      this.#indexed?.push(layer);
    }
    return this.#index;
  }

  #forget(): void {
    if (this.#index.size === 0) return;
    this.#index = new LayerIndex();
    if (this.#indexed) this.#indexed.length = 0;
  }

  #observer(): ProxyHandler<AnyLayer[]> {
    return {
      set: (layers, key, value) => {
        this.#forget();
        return Reflect.set(layers, key, value);
      },
      defineProperty: (layers, key, descriptor) => {
        this.#forget();
        return Reflect.defineProperty(layers, key, descriptor);
      },
      deleteProperty: (layers, key) => {
        this.#forget();
        return Reflect.deleteProperty(layers, key);
      },
    };
  }
}

/** Whether `layers` begins with what was indexed. */
function isPrefix(indexed: readonly AnyLayer[], layers: readonly AnyLayer[]): boolean {
  if (indexed.length > layers.length) return false;
  for (let i = 0; i < indexed.length; i++) if (indexed[i] !== layers[i]) return false;
  return true;
}
