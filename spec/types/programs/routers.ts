// Routers, with options, patterns, parameters, chained calls and mounted routers.
import express, { type IRouter, Router, type RouterOptions } from 'express';
import type { IRouterHandler, IRouterMatcher, RouteParameters } from 'express-serve-static-core';

const comments = express.Router({ mergeParams: true });
comments.get('/', (req: express.Request<{ postId: string }>, res) => {
  res.json({ post: req.params.postId });
});
comments.get<{ postId: string; id: string }>('/:id', (req, res) => {
  res.json([req.params.postId, req.params.id]);
});

const posts = Router();
posts.use('/:postId/comments', comments);
posts.param('postId', (req, _res, next, id: string, name) => {
  req.app.set(name, id);
  next();
});
posts
  .route('/:postId')
  .all((_req, _res, next) => next())
  .get((req, res) => {
    res.send(req.params.postId);
  })
  .put(express.json(), (req, res) => {
    res.send(req.body.title);
  })
  .delete((_req, res) => {
    res.sendStatus(204);
  });

export function versioned(version: `v${number}`, options?: RouterOptions): Router {
  const router = Router({ caseSensitive: true, strict: true, ...options });
  router.get('/version', (_req, res) => void res.send(version));
  return router;
}

export default (app: express.Router): void => {
  const route = Router();
  app.use('/nested', route);
  route.get('/me', (_req, res) => {
    res.json({ id: 1 });
  });
};

const app = express();
app.use('/posts', posts);
app.use(['/v1', /^\/v[23]$/], versioned('v1', { strict: false }));
app.get(['/', '/index', '/home'], (_req, res) => {
  res.redirect(301, '/start');
});
app.get('/flights/:from-:to', (req, res) => {
  const { from, to } = req.params;
  res.send(`${from} ${to}`.toUpperCase());
});
app.get(/^\/commits\/(\w+)$/, (req, res) => {
  res.send(req.params[0]);
});
app.get(`${process.env.PREFIX}/dynamic/:id`, (req, res) => {
  res.send(req.params.id);
});
app.patch('/:a/:b', (req, res) => {
  const params: RouteParameters<'/:a/:b'> = req.params;
  res.send(params.a + params.b);
});
for (const verb of ['get', 'post', 'put'] as const) {
  app[verb](`/${verb}`, (_req, res) => {
    res.end(verb);
  });
}
const tables: Record<string, IRouter> = { posts, comments };
for (const [name, router] of Object.entries(tables)) app.use(`/${name}`, router);
const use: IRouterHandler<IRouter> & IRouterMatcher<IRouter> = posts.use.bind(posts);
use('/x', comments);
app.on('mount', (parent) => parent.set('mounted', true));
const paths: string[] = posts.stack.flatMap((layer) => (layer.route ? [layer.route.path] : []));

export { paths };
