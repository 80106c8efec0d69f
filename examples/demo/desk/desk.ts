// Everything the station desk knows: the fixed timetable, and the little that changes while it is open.
import { Announcements } from './announcements';
import { minuteOf } from './clock';
import { LostProperty } from './lost-property';
import type { Station } from './railway';
import { type Departure, departuresAt } from './timetable';

export class Desk {
  readonly announcements = new Announcements();
  readonly lost = new LostProperty();
  readonly #delays = new Map<string, number>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  now(): Date {
    return this.#now();
  }

  minute(): number {
    return minuteOf(this.#now());
  }

  board(station: Station, from: number, limit: number): Departure[] {
    return departuresAt(station, from, limit, (train) => this.delayOf(train));
  }

  /** Minutes late, as reported by the office. */
  delayOf(train: string): number {
    return this.#delays.get(train) ?? 0;
  }

  delays(): [train: string, minutes: number][] {
    return [...this.#delays];
  }

  setDelay(train: string, minutes: number): void {
    if (minutes === 0) this.#delays.delete(train);
    else this.#delays.set(train, minutes);
  }
}
