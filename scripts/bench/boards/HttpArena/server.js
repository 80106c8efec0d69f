const cluster = require('node:cluster');
const { availableParallelism } = require('node:os');
const nozomi = require('nozomi');

if (cluster.isPrimary) {
  for (let i = 0; i < availableParallelism(); i++) cluster.fork();
} else {
  serve();
}

function serve() {
  const app = nozomi();

  app.get('/pipeline', (_req, res) => {
    res.type('text/plain').send('ok');
  });

  app.get('/baseline11', (req, res) => {
    res.type('text/plain').send(String(sumOf(req.query)));
  });

  // The board sends the body with a length or in chunks, and without a content type.
  app.post('/baseline11', nozomi.text({ type: () => true }), (req, res) => {
    res.type('text/plain').send(String(sumOf(req.query) + Number(req.body || 0)));
  });

  app.listen(Number(process.env.PORT ?? 8080));
}

function sumOf(query) {
  return Object.values(query).reduce((sum, value) => sum + Number(value), 0);
}
