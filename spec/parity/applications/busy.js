// Responds, and with the argument `slow` keeps the processor busy before each response.
const express = require('express');

const app = express();
app.use((_req, _res, next) => {
  const end = process.cpuUsage().user + (process.argv.includes('slow') ? 1000 : 0);
  while (process.cpuUsage().user < end);
  next();
});
app.all('/', (_req, res) => res.send('hello'));
app.get('/closed', (_req, res) => res.set('Connection', 'close').send('hello'));
app.get('/endless', (_req, res) => void res.write('hello'));

app.listen(0);
