import express, { Router } from 'nozomi';

interface Note {
  id: number;
  text: string;
}

/** Creates the pages. The notes are in memory: replace the map by a database. */
export function notes(): Router {
  const all = new Map<number, Note>();
  let last = 0;

  const router = Router();
  router.use(express.urlencoded());

  router.get('/', (_req, res) => res.render('index', { notes: [...all.values()], problem: '' }));

  router.post('/notes', (req, res) => {
    const text = String(req.body?.text ?? '').trim();
    if (text === '') {
      res.status(400).render('index', { notes: [...all.values()], problem: 'A note needs a text.' });
      return;
    }
    last++;
    all.set(last, { id: last, text });
    res.redirect(303, '/');
  });

  router.post('/notes/:id/delete', (req, res) => {
    all.delete(Number(req.params.id));
    res.redirect(303, '/');
  });

  return router;
}
