// The example of docs/timeouts.md. A handler that waits for too long is aborted, and the client gets 503.
const { setTimeout: wait } = require('node:timers/promises');
const nozomi = require('nozomi');
const { signal, timeout } = require('nozomi/extras');

const app = nozomi().use(signal());

app.get('/wait/:ms', timeout('100ms'), async (req, res) => {
  await wait(Number(req.params.ms), undefined, { signal: req.signal });
  res.send('in time');
});

app.use((err, _req, res, next) => {
  if (err.code === 'ETIMEDOUT') res.status(503).json({ timeout: err.timeout });
  else next(err);
});
// For the error of a handler that was aborted after its time.
app.use((err, req, _res, next) => {
  if (!req.timedout) next(err);
});

app.listen(process.env.PORT ?? 3000);
