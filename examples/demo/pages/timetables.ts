// The printed timetables: downloads of the files in timetables/. `res.download` supports ranges and conditional
// requests.
import { join } from 'node:path';
import type { Framework, NextFunction, Response, Router } from '../framework';
import { DeskError } from '../web/desk-error';
import { versionOf } from '../web/version';

interface Printed {
  readonly file: string;
  readonly title: string;
  readonly about: string;
}

const CONDITIONS = 'conditions-of-carriage.txt';

const SHELF: readonly Printed[] = [
  {
    file: 'spring-2026.csv',
    title: 'Spring timetable 2026',
    about: 'Every train, every stop, one row each. For spreadsheets and very patient readers.',
  },
  {
    file: CONDITIONS,
    title: 'Conditions of carriage',
    about: 'What the railway promises, and what it asks of you.',
  },
];

/** The `Last-Modified` date of this edition. The time of the file would differ in every checkout. */
const EDITION = 'Sat, 14 Mar 2026 00:00:00 GMT';

/**
 * Creates the router of /timetables.
 *
 * @param root The folder of the files.
 */
export function timetablesRouter(framework: Framework, root: string): Router {
  const router = framework.Router();
  const versions = new Map(SHELF.map(({ file }) => [file, versionOf(join(root, file))]));
  const files = { root, maxAge: '1h' };

  const describe = (res: Response, file: string): void => {
    const version = versions.get(file);
    if (version === undefined) throw new DeskError(404, 'There is no such timetable.');
    res.set({ ETag: `"${version}"`, 'Last-Modified': EDITION });
  };

  router.get('/', (_req, res) => res.render('timetables', { shelf: SHELF }));

  router.get('/conditions', (_req, res, next) => {
    describe(res, CONDITIONS);
    res.sendFile(CONDITIONS, files, (error) => passOn(error, res, next));
  });

  router.get('/:file', (req, res, next) => {
    const { file } = req.params;
    describe(res, file);
    res.download(file, `nozomi-${file}`, files, (error) => passOn(error, res, next));
  });

  return router;
}

/** Passes an error to `next`, unless the download has already begun: the client may disconnect at any time. */
function passOn(error: Error | undefined, res: Response, next: NextFunction): void {
  if (error && !res.headersSent) next(error);
}
