// The data of the station desk: the fixed timetable, and the data that changes at run time.
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

  /** The delay of a train in minutes, as the office reported it; 0 without a report. */
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
