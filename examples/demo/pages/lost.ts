// The pages and forms of the lost property desk. /api/lost is its API.
import type { Desk } from '../desk/desk';
import type { LostThing } from '../desk/lost-property';
import { stations } from '../desk/railway';
import type { Framework, RequestParamHandler, Response, Router } from '../framework';
import { DeskError } from '../web/desk-error';
import { readFields, stationId, text } from '../web/fields';
import { homeStation } from '../web/preferences';

export const foundThing = { what: text(2, 60), station: stationId(), note: text(0, 200) };
export const claim = { name: text(2, 40) };

export function lostRouter(framework: Framework, desk: Desk): Router {
  const router = framework.Router();
  const form = framework.urlencoded({ extended: false, limit: '4kb', parameterLimit: 10 });
  router.param('thing', findThingParam(desk));

  router
    .route('/')
    .get((_req, res) => showShelf(res, desk))
    .post(form, (req, res) => {
      const reading = readFields(foundThing, req.body);
      if (!reading.ok) return showShelf(res.status(422), desk, reading);
      const thing = desk.lost.add(reading.values);
      if (!thing) throw new DeskError(503, 'The shelf is full. Please try another day.');
      res.redirect(303, `${req.baseUrl}/${thing.id}`);
    });

  router.get('/:thing', (_req, res) => showThing(res));

  router.get('/:thing/photo', (_req, res) => sendPhoto(res));

  router.post('/:thing/claim', form, (req, res) => {
    const thing = res.locals.thing as LostThing;
    const reading = readFields(claim, req.body);
    if (!reading.ok) return showThing(res.status(422), reading);
    if (!desk.lost.claim(thing.id, reading.values.name))
      throw new DeskError(409, 'This has been claimed already.');
    res.redirect(303, `${req.baseUrl}/${thing.id}`);
  });

  return router;
}

export function findThingParam(desk: Desk): RequestParamHandler {
  return (_req, res, next, id: string) => {
    const thing = desk.lost.find(id);
    if (!thing) return next(new DeskError(404, 'There is no lost thing with that label.'));
    res.locals.thing = thing;
    next();
  };
}

/** Sends the photograph of a lost thing. Its media type was detected from its first bytes on upload. */
export function sendPhoto(res: Response): void {
  const { photo } = res.locals.thing as LostThing;
  if (!photo) throw new DeskError(404, 'This thing has no photograph.');
  res.type(photo.type).set('Cache-Control', 'private, no-cache').send(photo.bytes);
}

interface Tried {
  readonly problems: Record<string, string>;
  readonly given: Record<string, string>;
}

function showShelf(res: Response, desk: Desk, tried?: Tried): void {
  res.render('lost', {
    stations,
    things: desk.lost.all(),
    problems: tried?.problems ?? {},
    given: tried?.given ?? { what: '', station: homeStation(res).id, note: '' },
  });
}

function showThing(res: Response, tried?: Tried): void {
  res.render('thing', { problems: tried?.problems ?? {}, given: tried?.given ?? { name: '' } });
}
