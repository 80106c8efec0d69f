// The next departures as a page, and as a finite stream of server-sent events.
import { setTimeout as wait } from 'node:timers/promises';
import { formatTime } from '../desk/clock';
import type { Desk } from '../desk/desk';
import { findStation } from '../desk/railway';
import type { Departure } from '../desk/timetable';
import type { Framework, Request, Response, Router } from '../framework';
import { DeskError } from '../web/desk-error';
import { homeStation } from '../web/preferences';

const CALLS = 6;

/**
 * Creates the router of /live.
 *
 * @param pace Milliseconds between two events.
 */
export function liveRouter(framework: Framework, desk: Desk, pace: number): Router {
  const router = framework.Router();

  router.get('/', (_req, res) => res.render('live', { station: homeStation(res) }));

  router.get('/events', async (req, res) => {
    const heard = lastHeard(req);
    if (heard >= CALLS) return void res.status(204).end(); // status 204 makes an EventSource stop
    const station = findStation(String(req.query.station ?? homeStation(res).id));
    if (!station) throw new DeskError(404, 'There is no such station.');

    res.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' });
    res.flushHeaders();
    await callOut(res, desk.board(station, desk.minute(), CALLS), heard, pace);
    res.end();
  });

  return router;
}

/**
 * Writes one event for each departure after the last one that the client received. If the client disconnects, no more
 * events are written.
 */
async function callOut(res: Response, departures: Departure[], heard: number, pace: number): Promise<void> {
  const left = new AbortController();
  res.on('close', () => left.abort());
  for (const [index, departure] of departures.entries()) {
    if (index < heard || left.signal.aborted) continue;
    res.write(`id: ${index + 1}\nevent: call\ndata: ${JSON.stringify(callOf(departure))}\n\n`);
    await wait(pace, undefined, { signal: left.signal }).catch(() => undefined);
  }
}

function callOf({ train, time, delay, platform }: Departure): object {
  const { service, to, line } = train;
  return {
    line: line.id,
    code: line.code,
    en: `The ${formatTime(time + delay)} ${service} for ${to.name} departs from platform ${platform}.`,
    ja: `${formatTime(time + delay)}発、${to.kanji}行きは${platform}番線から発車します。`,
  };
}

function lastHeard(req: Request): number {
  const id = req.get('Last-Event-ID') ?? '';
  return /^\d{1,3}$/.test(id) ? Number(id) : 0;
}
