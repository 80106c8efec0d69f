/**
 * The layers of a router: a plain-looking array that programs may change at any time, and its index. §2.5
 *
 * The array a router starts with is shown to programs through a proxy, which notes every change but
 * appending by the router itself; the walk reads the array behind it. An array that a program assigned
 * stays the program's own, seen by nobody's proxy, so it is compared with what was indexed on each request.
 */
import { LayerIndex } from './index-of-layers';
import type { Layer } from './layer';

export class Stack {
  /** The live array. Read it, but change it through `append` or `view`. */
  readonly layers: Layer[];
  /** What programs see as `router.stack`. */
  readonly view: Layer[];
  /** Grows with every change that may have moved a layer. */
  version = 0;
  readonly #index = new LayerIndex();
  readonly #indexed: Layer[] | undefined;
  #isStale = false;

  /** @param assigned The program's own array, if it gave one. */
  constructor(assigned?: Layer[]) {
    this.layers = assigned ?? [];
    this.view = assigned ?? new Proxy(this.layers, this.#observer());
    if (assigned) this.#indexed = [];
  }

  append(layer: Layer): void {
    this.layers.push(layer);
  }

  /** The index of the layers as they are now. */
  index(): LayerIndex {
    if (this.#indexed && !isPrefix(this.#indexed, this.layers)) this.#changed();
    if (this.#isStale) {
      this.#index.clear();
      this.#isStale = false;
    }
    if (this.#index.size < this.layers.length) {
      for (let i = this.#index.size; i < this.layers.length; i++) {
        const layer = this.layers[i] as Layer;
        this.#index.add(layer);
        this.#indexed?.push(layer);
      }
    }
    return this.#index;
  }

  #changed(): void {
    this.version++;
    this.#isStale = true;
    if (this.#indexed) this.#indexed.length = 0;
  }

  #observer(): ProxyHandler<Layer[]> {
    return {
      set: (layers, key, value) => {
        this.#changed();
        return Reflect.set(layers, key, value);
      },
      defineProperty: (layers, key, descriptor) => {
        this.#changed();
        return Reflect.defineProperty(layers, key, descriptor);
      },
      deleteProperty: (layers, key) => {
        this.#changed();
        return Reflect.deleteProperty(layers, key);
      },
    };
  }
}

/** Whether `layers` begins with what was indexed. */
function isPrefix(indexed: readonly Layer[], layers: readonly Layer[]): boolean {
  if (indexed.length > layers.length) return false;
  for (let i = 0; i < indexed.length; i++) if (indexed[i] !== layers[i]) return false;
  return true;
}
