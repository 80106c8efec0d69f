// An application with a login and a cart for each session. It refuses a page that is requested too often.
const { randomUUID } = require('node:crypto');
const express = require('express');

const app = express();
const carts = new Map();
let requested = 0;
const cartOf = (req) => carts.get(/sid=([^;]*)/.exec(req.get('Cookie'))?.[1]);
app.post('/login', (_req, res) => {
  const sid = randomUUID();
  carts.set(sid, []);
  res.cookie('sid', sid).send('hello');
});
app.post('/cart', (req, res) => {
  cartOf(req).push('a loaf of bread');
  res.send('added');
});
app.get('/cart', (req, res) => (cartOf(req) ? res.json(cartOf(req)) : res.sendStatus(401)));
app.get('/rare', (_req, res) => res.sendStatus(++requested > 30 ? 429 : 200));
app.post('/logout', (req, res) => {
  cartOf(req).length = 0;
  res.clearCookie('sid').send('bye');
});

app.listen(0);
