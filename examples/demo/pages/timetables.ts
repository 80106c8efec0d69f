// Printed matter: the files in timetables/, to take home. Ranges and conditions come with res.download.
import type { Framework, Router } from '../framework';
import { DeskError } from '../web/desk-error';

interface Printed {
  readonly file: string;
  readonly title: string;
  readonly about: string;
}

const SHELF: readonly Printed[] = [
  {
    file: 'spring-2026.csv',
    title: 'Spring timetable 2026',
    about: 'Every train, every stop, one row each. For spreadsheets and very patient readers.',
  },
  {
    file: 'conditions-of-carriage.txt',
    title: 'Conditions of carriage',
    about: 'What the railway promises, and what it asks of you.',
  },
];

/** The day this edition came into force: unlike the time of a checkout, the same everywhere. */
const EDITION = 'Sat, 14 Mar 2026 00:00:00 GMT';

/** @param root Folder that holds the files. */
export function timetablesRouter(framework: Framework, root: string): Router {
  const router = framework.Router();

  router.get('/', (_req, res) => res.render('timetables', { shelf: SHELF }));

  router.get('/conditions', (_req, res, next) => {
    res.set('Last-Modified', EDITION);
    res.sendFile(
      'conditions-of-carriage.txt',
      { root, etag: false, maxAge: '1h' },
      (error) => error && next(error),
    );
  });

  router.get('/:file', (req, res, next) => {
    const printed = SHELF.find(({ file }) => file === req.params.file);
    if (!printed) throw new DeskError(404, 'We have not printed that.');
    res.set('Last-Modified', EDITION);
    res.download(printed.file, `nozomi-${printed.file}`, { root, etag: false, maxAge: '1h' }, (error) => {
      if (error) next(error);
    });
  });

  return router;
}
