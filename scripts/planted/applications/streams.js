// Events, lines and chunks, and what the application prints.
const { create, fork, has, listen } = require('./kit');

const app = create();
app.use('/events', (_req, res, next) => (has('login') ? res.sendStatus(401) : next()));
app.get('/events', (_req, res) => {
  res
    .set({
      'Content-Type': 'text/event-stream',
      'Cache-Control': fork('events that may be cached', 'no-cache', 'max-age=9'),
    })
    .flushHeaders();
  let number = 0;
  const timer = setInterval(
    () =>
      res.write(
        `id: ${++number}\nevent: ${fork('events with another name', 'tick', 'tock')}\ndata: {"n":${number}}\n\n`,
      ),
    20,
  );
  res.on('close', () => clearInterval(timer));
});
app.get('/ended', (_req, res) => {
  res.type('text/event-stream');
  for (let number = 1; number <= fork('an event less', 3, 2); number++) res.write(`data: ${number}\n\n`);
  res.end(fork('a missing end event', 'event: end\ndata: done\n\n', ''));
});
app.get('/lines', (_req, res) => {
  res.type(fork('another type of lines', 'application/x-ndjson', 'application/json'));
  for (let n = 0; n < 50; n++)
    res.write(`{"n":${fork('a line of a stream', n, n === 30 ? 31 : n)},"text":"line"}\n`);
  res.end();
});
app.get('/whole', (_req, res) => {
  const body = '{"whole":true}';
  if (fork('chunks for a length', true, false)) res.set('Content-Length', body.length);
  res.type('json');
  res.write(body);
  res.end();
});
app.get('/trailers', (_req, res) => {
  res.set('Trailer', 'X-Sum');
  res.write('data');
  res.addTrailers({ 'X-Sum': fork('another trailer', 'a1', 'a2') });
  res.end();
});
app.get('/closed', (_req, res) => {
  if (fork('a connection that stays open', true, false)) res.set('Connection', 'close');
  res.send('bye');
});
app.get('/printed', (_req, res) => {
  console.log(fork('another line of output', 'printed 1 line', 'printed one line'));
  if (fork('a line on standard error', false, true)) console.error('wrong');
  res.send('printed');
});
app.get('/early', (_req, res) =>
  res.writeEarlyHints(
    { link: fork('another early hint', '</a.css>; rel=preload', '</b.css>; rel=preload') },
    () => res.send('early'),
  ),
);
listen(app);
