// The office of the station master: a mounted application with its own settings, views and authentication.
import { createHash, timingSafeEqual } from 'node:crypto';
import basicAuth from 'basic-auth';
import type { Desk } from '../desk/desk';
import { findTrain } from '../desk/timetable';
import type { Application, Framework, RequestHandler } from '../framework';
import { DeskError } from '../web/desk-error';
import { integer, requireFields, text } from '../web/fields';

export const STATION_MASTER = 'stationmaster';

interface OfficeOptions {
  readonly framework: Framework;
  readonly desk: Desk;
  readonly env: string;
  readonly views: string;
  readonly locals: object;
  readonly staffOnly: RequestHandler;
}

export function createOffice({ framework, desk, env, views, locals, staffOnly }: OfficeOptions): Application {
  const office = framework();
  office.set('env', env).set('views', views).disable('x-powered-by');
  Object.assign(office.locals, locals);

  const form = framework.urlencoded({ extended: false, limit: '4kb', parameterLimit: 10 });
  const plain = framework.text({ limit: '1kb' });

  office.use(staffOnly);
  office.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });

  office.get('/', (_req, res) => {
    const delays = desk.delays().map(([id, minutes]) => ({ train: findTrain(id), minutes }));
    const mounted = { pattern: office.mountpath, path: office.path() };
    res.render('office', {
      announcements: desk.announcements.all(),
      delays,
      things: desk.lost.all(),
      mounted,
    });
  });

  // Accepts the form of the page, or plain text: curl --data 'Snow on the pass.' -H 'Content-Type: text/plain'
  office.post('/announcements', form, plain, (req, res) => {
    const words: unknown = typeof req.body === 'string' ? { text: req.body } : req.body;
    desk.announcements.add(requireFields({ text: text(3, 160) }, words).text);
    res.redirect(303, req.baseUrl);
  });

  office.post('/announcements/:id/remove', (req, res) => {
    if (!desk.announcements.remove(Number(req.params.id)))
      throw new DeskError(404, 'That notice is not on the board.');
    res.redirect(303, req.baseUrl);
  });

  office.post('/delays', form, (req, res) => {
    const { train, minutes } = requireFields({ train: text(2, 8), minutes: integer(0, 180) }, req.body);
    const late = findTrain(train);
    if (!late)
      throw new DeskError(422, 'Some fields are not valid.', {
        problems: { train: 'Is not one of our trains.' },
      });
    desk.setDelay(late.id, minutes);
    res.redirect(303, req.baseUrl);
  });

  office.post('/lost/:id/remove', (req, res) => {
    if (!desk.lost.remove(req.params.id)) throw new DeskError(404, 'There is no lost thing with that label.');
    res.redirect(303, req.baseUrl);
  });

  return office;
}

/**
 * Creates middleware that lets in only the station master, with HTTP Basic authentication.
 *
 * @param password If it is missing or empty, the office is closed: every request fails with 503.
 */
export function staffLock(password: string | undefined): RequestHandler {
  return (req, _res, next) => {
    const given = basicAuth(req);
    if (!password) next(new DeskError(503, 'The office is closed.'));
    else if (given && isSame(given.name, STATION_MASTER) && isSame(given.pass, password)) next();
    else
      next(
        new DeskError(401, 'Staff only, please.', {
          headers: { 'WWW-Authenticate': 'Basic realm="Station office", charset="UTF-8"' },
        }),
      );
  };
}

/** Compares digests, so that the duration does not reveal the length of `expected` or where the texts differ. */
function isSame(given: string, expected: string): boolean {
  const digest = (value: string): Buffer => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
