// The list of all trains, and the page of one train with its stops.
import { formatTime } from '../desk/clock';
import type { Desk } from '../desk/desk';
import { findTrain, type Train, trains } from '../desk/timetable';
import type { Framework, Router } from '../framework';
import { DeskError } from '../web/desk-error';
import { requireFields, text } from '../web/fields';
import { paginate } from '../web/pagination';
import { reply } from '../web/reply';

export function trainsRouter(framework: Framework, desk: Desk): Router {
  const router = framework.Router();
  router.param('train', (_req, res, next, id: string) => {
    const train = findTrain(id);
    if (!train) return next(new DeskError(404, 'There is no train with that number.'));
    res.locals.train = train;
    next();
  });

  // Lists all trains. The search form of the front page sends `?number=b101`, which redirects to that train.
  router.get('/', (req, res) => {
    const { number } = requireFields({ number: text(0, 8) }, req.query);
    if (number) {
      const train = findTrain(number);
      if (!train) throw new DeskError(404, 'There is no train with that number. Numbers look like B101.');
      return res.redirect(303, `${req.baseUrl}/${train.id}`);
    }
    const page = paginate(req, res, trains);
    reply(res, { page: ['trains', page], json: { ...page, items: page.items.map(trainJson) } });
  });

  router.get('/:train', (req, res) => {
    const train = res.locals.train as Train;
    if (req.params.train !== train.id) return res.redirect(301, `${req.baseUrl}/${train.id}`);
    const delay = desk.delayOf(train.id);
    reply(res, { page: ['train', { train, delay }], json: { ...trainJson(train), delay } });
  });

  return router;
}

export function trainJson(train: Train): object {
  return {
    id: train.id,
    line: train.line.id,
    service: train.service,
    direction: train.direction,
    stops: train.stops.map(({ station, platform, time }) => ({
      station: station.id,
      platform,
      time: formatTime(time),
    })),
  };
}
