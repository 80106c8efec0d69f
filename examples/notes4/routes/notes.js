const express = require('express');

const router = express.Router();
const notes = [
  { id: '1', text: 'milk', tags: ['shop'] },
  { id: '2', text: 'call Ada', tags: [] },
];

router.get('/', (req, res) => {
  const { tag } = req.query.filter || {};
  res.json(notes.filter(({ tags }) => !tag || tags.includes(tag)).slice(0, req.query.size));
});

router.post('/', (req, res) => {
  if (!req.body.text) return res.json(400, { error: 'a note has a text' });
  const note = { id: String(notes.length + 1), text: req.body.text, tags: req.body.tags || [] };
  notes.push(note);
  res.json(201, note);
});

router.get('/:id.:format?', (req, res) => {
  const note = notes.find(({ id }) => id === req.params.id);
  if (!note) return res.send(404);
  if (req.params.format === 'txt') return res.type('txt').send(note.text);
  res.json(note);
});

router.put('/:id', (req, res) => {
  const note = notes.find(({ id }) => id === req.param('id'));
  if (!note) return res.send(404);
  note.text = req.param('text', note.text);
  res.send(note, 200);
});

module.exports = router;
