// An API as in tutorials, with types of requests and responses.
import express, { type CookieOptions, type Request, type Response, type Send } from 'express';
import type { ParsedQs } from 'qs';

interface Todo {
  id: number;
  text: string;
  done: boolean;
}
type Envelope<T> = { data: T } | { error: string };

const todos: Todo[] = [];
const app = express();

app.get('/todos', (req: Request<{}, Envelope<Todo[]>, {}, { done?: string; sort?: 'asc' | 'desc' }>, res) => {
  const { done, sort = 'asc' } = req.query;
  const found = todos.filter((todo) => done === undefined || String(todo.done) === done);
  res.json({ data: sort === 'asc' ? found : found.reverse() });
});
app.post('/todos', (req: Request<{}, {}, Pick<Todo, 'text'>>, res: Response<Envelope<Todo>>) => {
  const { text } = req.body;
  if (!text) return void res.status(400).send({ error: 'text is missing' });
  const todo = { id: todos.length, text, done: false };
  todos.push(todo);
  res.status(201).location(`${req.baseUrl}/${todo.id}`).json({ data: todo });
});
app.put('/todos/:id', (req, res) => {
  const { id } = req.params;
  const { text, done }: Partial<Todo> = req.body;
  res.json({ id: parseInt(id, 10), text, done });
});
app.get('/search', (req, res) => {
  const term = req.query.q as string;
  const tags: string | ParsedQs | (string | ParsedQs)[] | undefined = req.query.tag;
  const list = Array.isArray(tags) ? tags : [tags];
  res.send(`${term}: ${list.length}`);
});
app.get('/negotiated', (req, res) => {
  if (req.accepts('html')) res.vary('Accept');
  const type: string | false = req.accepts(['json', 'html']);
  const language = req.acceptsLanguages('en', 'de') || 'en';
  res.format({
    'text/plain': () => res.send(String(type)),
    json: () => res.json({ language }),
    default: () => res.status(406).send('Not Acceptable'),
  });
});
app.get('/cookies', (req, res) => {
  const options: CookieOptions = { httpOnly: true, sameSite: 'lax', maxAge: 900000, signed: false };
  res.cookie('name', req.cookies.name ?? 'x', options).clearCookie('old', { path: '/' });
  res.append('Set-Cookie', ['a=b']).links({ next: '/2' }).set('ETag', '1');
  res.sendStatus(req.fresh ? 304 : 200);
});
app.get('/file/:name', (req, res, next) => {
  res.sendFile(
    req.params.name,
    { root: '/srv', dotfiles: 'deny', headers: { 'x-sent': Date.now() } },
    (err) => {
      if (err) next(err);
    },
  );
});
app.get('/download', (_req, res) => {
  res.download('/report.pdf', 'report.pdf', (err) => console.log(err?.message));
});
app.get('/stream', (req, res) => {
  res.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const timer = setInterval(() => res.write('data: x\n\n'), 1000);
  req.on('close', () => clearInterval(timer));
});
app.get('/info', (req, res) => {
  const { hostname, ip, ips, protocol, secure, subdomains, xhr, method, originalUrl } = req;
  const agent: string | undefined = req.get('user-agent');
  const cookies: string[] | undefined = req.get('set-cookie');
  const auth = req.headers.authorization?.split(' ')[1];
  const size = req.range(100, { combine: true });
  res.locals.info = { hostname, ip, ips, protocol, secure, subdomains, xhr, method, originalUrl };
  res.jsonp({ agent, cookies, auth, size, local: res.locals.info, is: req.is('json') });
});

// A request and a response for a unit test, and middleware that replaces res.json.
const req = { params: { id: '1' }, query: {}, body: {} } as unknown as Request<{ id: string }>;
const res: Partial<Response> = { statusCode: 200 };
res.status = () => res as Response;
console.log(req.params.id, (res as Response).statusCode);
app.use((_req, res, next) => {
  const json: Send = res.json.bind(res);
  res.json = (body) => json({ data: body });
  next();
});
