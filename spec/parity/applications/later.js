// An application that adds most of its routes after it listens, and one router to nothing.
const { readFile } = require('node:fs');
const express = require('express');

const app = express();
const lost = express.Router();
lost.get('/lost/:id', (_req, res) => res.send('lost'));
const strict = express.Router({ strict: true, caseSensitive: true });
strict.get('/Strict/', (_req, res) => res.send('strict'));

app.get('/first', (_req, res) => res.send('first'));
app.use(strict);
// A timer that never ends is not waited for.
setInterval(() => {}, 1000).unref();
app.listen(0, async () => {
  app.get('/in-callback', (_req, res) => res.send('in-callback'));
  readFile(__filename, () =>
    setTimeout(() => app.get('/after-file', (_req, res) => res.send('after-file')), 900),
  );
  setTimeout(() => app.get('/after-timer', (_req, res) => res.send('after-timer')), 400);
  for (let turn = 0; turn < 20; turn++) await new Promise((settle) => setImmediate(settle));
  app.get('/after-turns', (_req, res) => res.send('after-turns'));
});
