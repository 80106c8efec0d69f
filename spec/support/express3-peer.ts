/**
 * Serves an application that creates and accepts cookies and tokens, with the implementation of Express 3 that the
 * first argument names. Sends its port to the parent process.
 *
 * A child process, because Express 3 changes the prototypes of Node.js.
 */
import type { AddressInfo } from 'node:net';
import type express3 from 'nozomi/3';

type Visit = { session: Record<string, number>; csrfToken(): string };

const implementation = require(process.argv[2] as string) as typeof express3;
const app = implementation();

app.use('/shared', implementation.cookieParser('cat'));
app.use('/shared', implementation.cookieSession({ cookie: { maxAge: 60_000 } }));
app.use('/own', implementation.cookieParser());
app.use('/own', implementation.cookieSession({ secret: 'dog' }));
app.use('/cookie', implementation.cookieParser('cat'));
app.use('/cookie', implementation.csrf({ cookie: { signed: true } }));
app.use('/own/token', implementation.csrf());
app.use('/signed', implementation.cookieParser('cat'));

app.all('/:kind/token', (req, res) => res.send((req as unknown as Visit).csrfToken()));
app.get('/signed/set', (_req, res) => {
  res.cookie('text', 'zwölf; =', { signed: true });
  res.cookie('json', { a: [1] }, { signed: true });
  res.send('set');
});
app.get('/signed/get', (req, res) => res.send({ signed: req.signedCookies, plain: req.cookies }));
app.get('/:kind', (req, res) => {
  const { session } = req as unknown as Visit;
  session.n = (session.n ?? 0) + 1;
  res.send({ n: session.n });
});

const server = app.listen(0, () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
