// Creates all trains and their stops from the rules of railway.ts, once at start-up.
import { DAY } from './clock';
import { type Line, lines, linesAt, type Station, stationOf } from './railway';

export interface Stop {
  readonly station: Station;
  readonly platform: number;
  /** Minutes since midnight: the arrival at the last stop, the departure at all others. */
  readonly time: number;
}

export interface Train {
  /** The code of the line and a number, such as B101. Down trains have odd numbers. */
  readonly id: string;
  readonly line: Line;
  readonly service: string;
  readonly direction: 'down' | 'up';
  readonly from: Station;
  readonly to: Station;
  readonly stops: readonly Stop[];
}

export interface Departure extends Stop {
  readonly train: Train;
  /** The delay in minutes, which `time` does not include. */
  readonly delay: number;
  readonly tomorrow: boolean;
}

export const trains: readonly Train[] = lines.flatMap(trainsOf);

const trainsById = new Map(trains.map((train) => [train.id, train]));
const departuresByStation = indexDepartures();

export function findTrain(id: string): Train | undefined {
  return trainsById.get(id.toUpperCase());
}

/**
 * Returns the next departures in the order of the timetable. After the last train, the first trains of the next day
 * follow.
 *
 * @param from Minutes since midnight. A delayed train is listed until it has left.
 * @param limit The maximum number of departures.
 */
export function departuresAt(
  station: Station,
  from: number,
  limit: number,
  delayOf: (train: string) => number,
): Departure[] {
  const day = departuresByStation.get(station.id) ?? [];
  const today = day
    .map((departure) => ({ ...departure, delay: delayOf(departure.train.id) }))
    .filter(({ time, delay }) => time + delay >= from)
    .slice(0, limit);
  const morning = day.slice(0, limit - today.length);
  return [...today, ...morning.map((departure) => ({ ...departure, tomorrow: true }))];
}

function trainsOf(line: Line): Train[] {
  const found: Train[] = [];
  for (let run = 0; line.first + run * line.every <= line.last; run += 1) {
    const leaves = line.first + run * line.every;
    found.push(trainOf(line, 'down', run, leaves), trainOf(line, 'up', run, leaves));
  }
  return found;
}

function trainOf(line: Line, direction: Train['direction'], run: number, leaves: number): Train {
  const isDown = direction === 'down';
  const rapid = line.rapid && run % 3 === 1 ? line.rapid : undefined;
  const ids = isDown ? line.stops : line.stops.toReversed();
  const hops = isDown ? line.hops : line.hops.toReversed();
  const stops: Stop[] = [];
  let time = leaves;
  ids.forEach((id, index) => {
    const station = stationOf(id);
    if (rapid?.passes.includes(id)) {
      time -= 1; // each station without a stop saves a minute
    } else {
      stops.push({ station, platform: platformOf(station, line, isDown), time: time % DAY });
    }
    time += hops[index] ?? 0;
  });
  return {
    id: `${line.code}${101 + run * 2 + (isDown ? 0 : 1)}`,
    line,
    service: rapid?.name ?? 'Local',
    direction,
    from: stationOf(ids[0] as string),
    to: stationOf(ids[ids.length - 1] as string),
    stops,
  };
}

/** Returns the platform. At each station a line has two platforms: an odd number for down, an even number for up. */
function platformOf(station: Station, line: Line, isDown: boolean): number {
  return linesAt(station).indexOf(line) * 2 + (isDown ? 1 : 2);
}

function indexDepartures(): Map<string, Departure[]> {
  const index = new Map<string, Departure[]>();
  for (const train of trains) {
    for (const stop of train.stops.slice(0, -1)) {
      const board = index.get(stop.station.id) ?? [];
      board.push({ ...stop, train, delay: 0, tomorrow: false });
      index.set(stop.station.id, board);
    }
  }
  for (const board of index.values())
    board.sort((a, b) => a.time - b.time || (a.train.id < b.train.id ? -1 : 1));
  return index;
}
