import express, { Router } from 'nozomi';
import { validate } from 'nozomi/extras';
import { describeRoute } from 'nozomi/openapi';
import { z } from 'zod';

const Note = z.object({ id: z.int(), text: z.string().min(1).max(1000) }).meta({ id: 'Note' });
const NewNote = Note.omit({ id: true });
const Id = z.object({ id: z.coerce.number().int() });

/** Creates the routes of /notes. The notes are in memory: replace the map by a database. */
export function notes(): Router {
  const all = new Map<number, z.infer<typeof Note>>();
  let last = 0;

  const router = Router();
  router.use(describeRoute({ tags: ['notes'] }));

  router.get('/', validate({ response: z.array(Note) }), function listNotes(_req, res) {
    res.json([...all.values()]);
  });

  router.post(
    '/',
    express.json(),
    validate({ body: NewNote, response: Note }),
    describeRoute({ responses: { 201: { description: 'The new note', schema: Note } } }),
    function addNote(req, res) {
      const note = { id: ++last, text: req.body.text };
      all.set(note.id, note);
      res.status(201).location(`/notes/${note.id}`).json(note);
    },
  );

  router.get('/:id', validate({ params: Id, response: Note }), function getNote(req, res, next) {
    const note = all.get(req.params.id);
    if (note) res.json(note);
    else next();
  });

  router.delete('/:id', validate({ params: Id }), function deleteNote(req, res, next) {
    if (all.delete(req.params.id)) res.status(204).end();
    else next();
  });

  return router;
}
