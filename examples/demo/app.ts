// Creates the application of the demo, the station desk of the Nozomi Bay Railway. The framework, the
// logger and the clock are parameters.
import { join } from 'node:path';
import cookieParser from 'cookie-parser';
import { formatTime } from './desk/clock';
import { Desk } from './desk/desk';
import { findStation, lines, linesAt, stationOf } from './desk/railway';
import type { Application, Framework, Logger, LogStream } from './framework';
import { answersJson, apiRouter } from './pages/api';
import { boardRouter, showBoard } from './pages/board';
import { drillRouter } from './pages/drill';
import { linesRouter } from './pages/lines';
import { liveRouter } from './pages/live';
import { lostRouter } from './pages/lost';
import { createOffice, staffLock } from './pages/office';
import { parityReport } from './pages/parity-report';
import { preferencesRouter } from './pages/preferences';
import { stationsRouter } from './pages/stations';
import { timetablesRouter } from './pages/timetables';
import { trainsRouter } from './pages/trains';
import { assets } from './web/assets';
import { DeskError } from './web/desk-error';
import { errorPage, notFound } from './web/errors';
import { homeStation, preferences } from './web/preferences';
import { safetyFields, sameOriginOnly } from './web/safety';
import { sources } from './web/sources';

export interface DemoOptions {
  readonly framework: Framework;
  readonly logger: Logger;
  /** Receives the access log in the format `combined`. */
  readonly accessLog: LogStream;
  /** Receives the access log in the format `dev`, with colours. */
  readonly terminalLog: LogStream;
  readonly now: () => Date;
  /** The secret that signs cookies. */
  readonly secret: string;
  /** The password of /office. Without a password, the office stays closed. */
  readonly officePassword?: string;
  /**
   * In `development`, error pages show stacks. Except in `production`, views are read again for each request. Default
   * `production`.
   */
  readonly env?: string;
  /** The milliseconds between two events of /live/events. Default 1500. */
  readonly pace?: number;
  /** The absolute path of the HTML report of the last parity run. If set, /parity-report shows it. */
  readonly parityReport?: string;
  /** Called with unexpected errors: status 500 or more, not a DeskError, and before the response has begun. */
  readonly report?: (error: unknown) => void;
}

export function createApp(options: DemoOptions): Application {
  const { framework, logger, env = 'production', report = () => undefined } = options;
  const app = framework();
  const desk = new Desk(options.now);
  const files = assets(framework, join(__dirname, 'public'), '/assets');
  const staffOnly = staffLock(options.officePassword);
  const views = join(__dirname, 'views');
  const locals = {
    asset: files.url,
    formatTime,
    lines,
    linesAt,
    stationOf,
    theme: 'auto',
    here: '/',
    back: '/',
    hasParityReport: options.parityReport !== undefined,
  };

  app
    .set('env', env)
    .set('views', views)
    .set('view engine', 'ejs')
    .set('view cache', env === 'production');
  app.set('json escape', true).set('json spaces', 2).disable('x-powered-by');
  Object.assign(app.locals, locals);

  app.use(logger('combined', { stream: options.accessLog }));
  app.use(logger('dev', { stream: options.terminalLog }));
  app.use(safetyFields());
  app.use('/assets', files.handler);
  app.use('/source', sources(framework, __dirname));
  app.use('/api', answersJson());
  app.use(sameOriginOnly());
  app.use(cookieParser(options.secret));
  app.use(preferences());

  app.param('station', (_req, res, next, id: string) => {
    const station = findStation(id);
    if (!station) return next(new DeskError(404, 'There is no such station.'));
    res.locals.station = station;
    next();
  });

  app.get('/', (req, res) => showBoard(req, res, desk, homeStation(res)));
  app.get('/index.html', (_req, res) => res.redirect(301, '/'));
  app.use(['/stations', '/api/stations'], stationsRouter(framework));
  app.use(['/stations/:station', '/api/stations/:station'], boardRouter(framework, desk));
  app.use(['/lines', '/api/lines'], linesRouter(framework));
  app.use('/api', apiRouter(framework, desk, staffOnly));
  app.use(['/trains', '/api/trains'], trainsRouter(framework, desk));
  app.use('/lost', lostRouter(framework, desk));
  app.use('/timetables', timetablesRouter(framework, join(__dirname, 'timetables')));
  app.use('/live', liveRouter(framework, desk, options.pace ?? 1500));
  app.use('/preferences', preferencesRouter(framework, desk));
  app.use('/office', createOffice({ framework, desk, env, views: join(views, 'office'), locals, staffOnly }));
  app.use('/drill', drillRouter(framework));
  if (options.parityReport) app.get('/parity-report', parityReport(options.parityReport));

  app.use(notFound());
  app.use(errorPage(env === 'development', report));
  return app;
}
