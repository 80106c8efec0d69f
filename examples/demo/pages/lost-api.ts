// The API of the lost property desk, mounted on /api/lost.
import type { Desk } from '../desk/desk';
import type { LostThing } from '../desk/lost-property';
import type { Framework, RequestHandler, Router } from '../framework';
import { DeskError } from '../web/desk-error';
import { requireFields } from '../web/fields';
import { paginate } from '../web/pagination';
import { claim, findThingParam, foundThing, sendPhoto } from './lost';

/** The first bytes that all files of a media type have. */
const SIGNATURES = {
  'image/png': [0x89, 0x50, 0x4e, 0x47],
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/gif': [0x47, 0x49, 0x46, 0x38],
} as const;

export function lostApi(framework: Framework, desk: Desk, staffOnly: RequestHandler): Router {
  const router = framework.Router();
  const isJson = wants('json');
  const readJson = framework.json({ limit: '4kb' });
  const isPicture = wants(...Object.keys(SIGNATURES));
  const readPicture = framework.raw({ type: Object.keys(SIGNATURES), limit: '64kb' });
  router.param('thing', findThingParam(desk));

  router
    .route('/')
    .get((req, res) => {
      const page = paginate(req, res, desk.lost.all());
      res.json({ ...page, items: page.items.map(thingJson) });
    })
    .post(isJson, readJson, (req, res) => {
      const thing = desk.lost.add(requireFields(foundThing, req.body));
      if (!thing) throw new DeskError(503, 'The shelf is full. Please try another day.');
      res.status(201).location(`${req.baseUrl}/${thing.id}`).json(thingJson(thing));
    });

  router
    .route('/:thing')
    .all((_req, res, next) => {
      res.set('Cache-Control', 'no-cache');
      next();
    })
    .get((_req, res) => res.json(thingJson(res.locals.thing as LostThing)))
    .patch(isJson, readJson, (req, res) => {
      const thing = res.locals.thing as LostThing;
      const { name } = requireFields(claim, req.body);
      if (!desk.lost.claim(thing.id, name)) throw new DeskError(409, 'This has been claimed already.');
      res.json(thingJson(thing));
    })
    .delete(staffOnly, (_req, res) => {
      desk.lost.remove((res.locals.thing as LostThing).id);
      res.sendStatus(204);
    });

  router
    .route('/:thing/photo')
    .get((_req, res) => sendPhoto(res))
    .put(isPicture, readPicture, (req, res) => {
      const bytes = req.body as Buffer;
      const type = pictureType(bytes);
      if (!type) throw new DeskError(422, 'These bytes are not a PNG, JPEG or GIF picture.');
      (res.locals.thing as LostThing).photo = { type, bytes };
      res.status(204).end();
    });

  return router;
}

/** Creates middleware that refuses missing bodies and other types with 415. The body parsers would ignore them. */
function wants(...types: string[]): RequestHandler {
  return (req, _res, next) => {
    if (req.is(types)) next();
    else next(new DeskError(415, `The body must be ${types.join(' or ')}.`));
  };
}

function pictureType(bytes: Buffer): string | undefined {
  return Object.entries(SIGNATURES).find(([, signature]) =>
    signature.every((byte, at) => bytes[at] === byte),
  )?.[0];
}

function thingJson({ id, what, station, note, claimedBy, photo }: LostThing): object {
  return { id, what, station, note, claimedBy, hasPhoto: photo !== null };
}
