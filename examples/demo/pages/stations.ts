// The page of all stations: a map, a search, and a list in several pages.
import { lines, linesAt, type Station, stationOf, stations } from '../desk/railway';
import type { Framework, Router } from '../framework';
import { requireFields, text } from '../web/fields';
import { paginate } from '../web/pagination';
import { reply } from '../web/reply';
import { stationJson } from './board';

export function stationsRouter(framework: Framework): Router {
  const router = framework.Router();

  router.get('/', (req, res) => {
    const { q } = requireFields({ q: text(0, 40) }, req.query);
    const found = stations.filter((station) => matches(station, q));
    const [only] = found;
    if (found.length === 1 && only && q && !res.locals.api)
      return res.redirect(303, `${req.baseUrl}/${only.id}`);

    const page = paginate(req, res, found);
    reply(res, {
      page: ['stations', { q, ...page, map: mapOf() }],
      json: { ...page, items: page.items.map(stationJson) },
    });
  });

  return router;
}

/**
 * Whether a station matches a search: its kanji or its name contains the query. The name is compared without
 * letter case and the marks of long vowels, so "to" finds Tōge.
 */
function matches(station: Station, query: string): boolean {
  return station.kanji.includes(query) || plain(station.name).includes(plain(query));
}

function plain(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The position of a label relative to its station on the map, in units of the SVG. */
const LABELS = {
  above: { dx: 0, dy: -20, anchor: 'middle' },
  below: { dx: 0, dy: 32, anchor: 'middle' },
  left: { dx: -20, dy: 6, anchor: 'end' },
  right: { dx: 20, dy: 6, anchor: 'start' },
  corner: { dx: 10, dy: 36, anchor: 'end' },
} as const;

function mapOf(): object {
  return {
    lines: lines.map(({ id, stops }) => ({
      id,
      points: stops.map((stop) => stationOf(stop).map.slice(0, 2).join(',')).join(' '),
    })),
    stations: stations.map((station) => {
      const [x, y, side] = station.map;
      const { dx, dy, anchor } = LABELS[side];
      return {
        ...station,
        x,
        y,
        label: { x: x + dx, y: y + dy, anchor },
        joins: linesAt(station).length > 1,
      };
    }),
  };
}
