// The lines and their timetables. The same router is mounted on /lines and on /api/lines.
import { formatTime } from '../desk/clock';
import { findLine, type Line, lines, stationOf } from '../desk/railway';
import { trains } from '../desk/timetable';
import type { Framework, Router } from '../framework';
import { DeskError } from '../web/desk-error';
import { oneOf, requireFields } from '../web/fields';
import { paginate } from '../web/pagination';
import { reply } from '../web/reply';
import { trainJson } from './trains';

export function linesRouter(framework: Framework): Router {
  const router = framework.Router();

  router.param('line', (_req, res, next, id: string) => {
    const line = findLine(id);
    if (!line) return next(new DeskError(404, 'There is no such line.'));
    res.locals.line = line;
    next();
  });

  router.get('/', (_req, res) => {
    reply(res, { page: ['lines', {}], json: lines.map(lineJson) });
  });

  router.get('/:line', (req, res) => {
    const line = res.locals.line as Line;
    const { direction } = requireFields(
      { direction: oneOf(['', 'down', 'up']) },
      { direction: '', ...req.query },
    );
    const shown = direction || 'down';
    const found = trains.filter((train) => train.line === line && train.direction === shown);
    const page = paginate(req, res, found);
    reply(res, {
      page: ['line', { line, direction: shown, ...page }],
      json: { ...lineJson(line), direction: shown, ...page, items: page.items.map(trainJson) },
    });
  });

  return router;
}

function lineJson(line: Line): object {
  const { id, code, name, kanji } = line;
  return {
    id,
    code,
    name,
    kanji,
    stops: line.stops.map((stop) => ({ id: stop, name: stationOf(stop).name })),
    first: formatTime(line.first),
    last: formatTime(line.last),
    every: line.every,
  };
}
