// Mistakes: layers in the wrong order, and an error handler with three parameters.
const express = require('express');

const app = express();
const books = express.Router();

// This route shadows a later one, because a parameter matches every segment.
app.get('/users/:id', (req, res) => {
  res.send(req.params.id);
});
app.get('/users/me', (_req, res) => {
  res.send('me');
});

// This route shadows GET of a route in another router, but not POST.
books.get('/:book', (req, res) => {
  res.send(req.params.book);
});
app.use('/books', books);
app
  .route('/books/new')
  .get((_req, res) => {
    res.send('new');
  })
  .post((_req, res) => {
    res.send('added');
  });
app.get('/books/last', (_req, res) => {
  res.send('last');
});

// An error handler with three parameters.
app.use(function failed(err, _req, res) {
  res.status(500).send(err.message);
});

// This route reads req.body before the body parser has run.
app.post('/orders', function order(req, res) {
  res.json(req.body);
});
app.use(express.json());
app.get('/orders', (_req, res) => {
  res.send([]);
});

// No route follows this body parser.
app.use(express.urlencoded());
app.use(function missing(_req, res) {
  res.sendStatus(404);
});

app.use((_err, _req, res, _next) => {
  res.sendStatus(500);
});

module.exports = app;
