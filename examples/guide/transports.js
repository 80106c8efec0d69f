// The example of docs/transports.md: one application over HTTP/1.1, over HTTP/2 without TLS, and as a fetch handler
// without a port. It shuts down gracefully.
const nozomi = require('nozomi');
const { toFetch } = require('nozomi/fetch');
const { graceful } = require('nozomi/graceful');
const { listen } = require('nozomi/http2');

const app = nozomi();
app.get('/', (req, res) => res.json({ version: req.httpVersion }));

app.get('/fetch', async (_req, res) => {
  const response = await toFetch(app)('/');
  res.json({ inside: await response.json() });
});

const server = app.listen(process.env.PORT ?? 3000);
graceful(server, { signals: ['SIGTERM', 'SIGINT'] });
graceful(listen(app, { port: process.env.HTTP2_PORT ?? 3001, cleartext: true }), {
  signals: ['SIGTERM', 'SIGINT'],
});
