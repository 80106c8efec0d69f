// The lost things. They are kept in memory, numbered in order of arrival, and limited to SHELF things.

export interface LostThing {
  readonly id: string;
  readonly what: string;
  /** The id of the station where the thing was found. */
  readonly station: string;
  readonly note: string;
  claimedBy: string | null;
  photo: Photo | null;
}

interface Photo {
  readonly type: string;
  readonly bytes: Buffer;
}

const SHELF = 60;

export class LostProperty {
  readonly #things = new Map<string, LostThing>();
  #lastNumber = 0;

  constructor() {
    this.add({
      what: 'Left glove',
      station: 'toge',
      note: 'Red wool. The right one is presumably still warm.',
    });
    this.add({
      what: 'Umbrella',
      station: 'minato',
      note: 'Transparent. We have forty-one; describe yours well.',
    });
    this.add({ what: 'Paper crane', station: 'hoshimi', note: 'Folded from a ticket to Misaki.' });
    this.add({ what: 'Chess king', station: 'central', note: 'White. Somebody, somewhere, cannot lose.' });
    this.claim('L-2', 'Ms Amano');
  }

  /** Returns all lost things, the newest first. */
  all(): LostThing[] {
    return [...this.#things.values()].reverse();
  }

  find(id: string): LostThing | undefined {
    return this.#things.get(id);
  }

  /**
   * Adds a lost thing under a new number.
   *
   * @returns The thing; `undefined` if the shelf is full.
   */
  add(found: Pick<LostThing, 'what' | 'station' | 'note'>): LostThing | undefined {
    if (this.#things.size >= SHELF) return undefined;
    this.#lastNumber += 1;
    const thing = { id: `L-${this.#lastNumber}`, ...found, claimedBy: null, photo: null };
    this.#things.set(thing.id, thing);
    return thing;
  }

  /**
   * Notes the name of the visitor who claims the thing.
   *
   * @returns False if there is no such thing, or it has already been claimed.
   */
  claim(id: string, name: string): boolean {
    const thing = this.#things.get(id);
    if (!thing || thing.claimedBy !== null) return false;
    thing.claimedBy = name;
    return true;
  }

  remove(id: string): boolean {
    return this.#things.delete(id);
  }
}
