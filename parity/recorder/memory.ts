/** The memory that a recording may use for what clients send. */
export class Memory {
  #free: number;

  /** @param limit The limit in bytes. */
  constructor(limit: number) {
    this.#free = limit;
  }

  /** Takes bytes. Returns whether so many were free; if not, takes none. */
  take(bytes: number): boolean {
    if (bytes > this.#free) return false;
    this.#free -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#free += bytes;
  }
}
