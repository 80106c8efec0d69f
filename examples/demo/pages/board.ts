// A station and its departure board. The router is mounted on two paths, and both have the parameter `:station`.
import { formatTime, parseTime } from '../desk/clock';
import type { Desk } from '../desk/desk';
import { linesAt, type Station, stationOf } from '../desk/railway';
import type { Departure } from '../desk/timetable';
import type { Framework, Request, Response, Router } from '../framework';
import { DeskError } from '../web/desk-error';
import { integer, requireFields } from '../web/fields';
import { remember } from '../web/preferences';
import { reply } from '../web/reply';
import { announcementsFor } from './notices';

export function boardRouter(framework: Framework, desk: Desk): Router {
  const router = framework.Router({ mergeParams: true });

  router.get('/', (req, res) => {
    const station = res.locals.station as Station;
    if (!res.locals.api) remember(req, res, 'station', station.id, desk.now());
    showBoard(req, res, desk, station);
  });

  router.get('/next', (req, res) => {
    const station = stationOf((req.params as { station: string }).station);
    const [departure] = desk.board(station, desk.minute(), 1);
    res.jsonp(departure ? departureJson(departure) : null);
  });

  return router;
}

/** Sends the board of one station. `?at=08:15` selects another time of day, and `?limit` the number of departures. */
export function showBoard(req: Request, res: Response, desk: Desk, station: Station): void {
  const { limit } = requireFields({ limit: integer(1, 40, 8) }, req.query);
  const at = req.query.at === undefined ? desk.minute() : parseTime(String(req.query.at));
  if (at === undefined) throw new DeskError(400, 'A time is written like 08:15.');

  const departures = desk.board(station, at, limit);
  const announcements = announcementsFor(req, res, desk);
  reply(res, {
    page: ['board', { station, neighbours: neighboursOf(station), at, departures, announcements }],
    json: {
      station: stationJson(station),
      at: formatTime(at),
      departures: departures.map(departureJson),
      announcements,
    },
    text: boardText(station, at, departures),
  });
}

export function stationJson(station: Station): object {
  const { id, name, kanji, about } = station;
  return { id, name, kanji, about, lines: linesAt(station).map((line) => line.id) };
}

function departureJson({ train, platform, time, delay, tomorrow }: Departure): object {
  return {
    train: train.id,
    service: train.service,
    line: train.line.id,
    to: train.to.id,
    platform,
    time: formatTime(time),
    expected: formatTime(time + delay),
    tomorrow,
  };
}

function boardText(station: Station, at: number, departures: Departure[]): string {
  const rows = departures.map(({ train, platform, time, delay, tomorrow }) =>
    [
      formatTime(time),
      train.id.padEnd(5),
      train.service.padEnd(7),
      train.to.name.padEnd(15),
      `platform ${platform}`,
      delay > 0 ? `  ${delay} min late` : tomorrow ? '  tomorrow' : '',
    ]
      .join(' ')
      .trimEnd(),
  );
  return [`${station.name} ${station.kanji} - departures after ${formatTime(at)}`, '', ...rows, ''].join(
    '\n',
  );
}

/** Returns what the sign of a station shows: for each line, the stations before and after this one. */
function neighboursOf(station: Station): object[] {
  return linesAt(station).map((line) => {
    const index = line.stops.indexOf(station.id);
    const neighbour = (at: number): Station | null => {
      const id = line.stops[at];
      return id === undefined ? null : stationOf(id);
    };
    return { line, before: neighbour(index - 1), after: neighbour(index + 1) };
  });
}
