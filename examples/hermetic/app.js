// The example of docs/hermetic.md: an application that asks PostgreSQL, Redis and a service.
//
// The environment variables are PORT, DATABASE_URL, REDIS_URL and RATES_URL.
const express = require('nozomi');
const pg = require('pg');
const { createClient } = require('redis');

const { DATABASE_URL, REDIS_URL, RATES_URL, PORT = '3000' } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 2 });
const redis = createClient({ url: REDIS_URL });
redis.on('error', (err) => console.error('redis:', err.message));

const app = express();
app.get('/books', async (_req, res) => {
  const { rows } = await pool.query('SELECT id, title FROM books ORDER BY id');
  res.json(rows);
});
app.get('/books/:id', async (req, res) => {
  const { rows } = await pool.query('SELECT id, title, price FROM books WHERE id = $1', [req.params.id]);
  const [book] = rows;
  if (!book) return res.status(404).json({ error: 'no such book' });
  const views = await redis.incr(`views:${book.id}`);
  const response = await fetch(`${RATES_URL}/rates/${req.query.currency ?? 'EUR'}`);
  const { rate } = await response.json();
  res.json({ ...book, price: book.price * rate, views });
});
app.post('/books', express.json(), async (req, res) => {
  const { title, price } = req.body;
  const { rows } = await pool.query('INSERT INTO books (title, price) VALUES ($1, $2) RETURNING id', [
    title,
    price,
  ]);
  await redis.del('views');
  res.status(201).json(rows[0]);
});

async function start() {
  await redis.connect();
  app.listen(Number(PORT));
}

start().catch((err) => {
  console.error(err);
  process.exit(1);
});
