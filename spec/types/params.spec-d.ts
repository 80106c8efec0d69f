// The type of `req.params`, which TypeScript infers from the path (§4.2).
import { expectTypeOf } from 'expect-type';
import framework, { Router } from 'nozomi';

const app = framework();
const router = Router();

app.get('/', (req) => {
  expectTypeOf(req.params).toEqualTypeOf<{}>();
});
app.get('/users/:id', (req) => {
  expectTypeOf(req.params.id).toEqualTypeOf<string>();
  // @ts-expect-error the path has no such parameter
  req.params.name;
});
app.get('/users/:user/posts/:post', (req) => {
  expectTypeOf(req.params.user).toEqualTypeOf<string>();
  expectTypeOf(req.params.post).toEqualTypeOf<string>();
});
app.get('/files/*path', (req) => {
  expectTypeOf(req.params.path).toEqualTypeOf<string[]>();
});
app.get('/flights/:from-:to', (req) => {
  expectTypeOf(req.params.from).toEqualTypeOf<string>();
  expectTypeOf(req.params.to).toEqualTypeOf<string>();
});
app.get('/photos/:name.:ext', (req) => {
  expectTypeOf(req.params.name).toEqualTypeOf<string>();
  expectTypeOf(req.params.ext).toEqualTypeOf<string>();
});
app.get('/posts{/:year}', (req) => {
  expectTypeOf(req.params.year).toEqualTypeOf<string | undefined>();
});
app.get('/api/{*splat}', (req) => {
  expectTypeOf(req.params.splat).toEqualTypeOf<string[] | undefined>();
});
app.get('/:lang{/:page}', (req) => {
  expectTypeOf(req.params.lang).toEqualTypeOf<string>();
  expectTypeOf(req.params.page).toEqualTypeOf<string | undefined>();
});
app.get(/^\/(\d+)$/, (req) => {
  expectTypeOf(req.params[0]).toMatchTypeOf<string | undefined>();
});
app.get(/^\/(?<year>\d+)\/(?<month>\d+)$/, (req) => {
  expectTypeOf(req.params.year).toMatchTypeOf<string | undefined>();
});
app.get('/meta/:key/files/*path', (req) => {
  expectTypeOf(req.params.path).toEqualTypeOf<string[]>();
  expectTypeOf(req.params.key).toEqualTypeOf<string>();
});
app.get('/plain/literal.json', (req) => {
  // @ts-expect-error the path has no parameters
  req.params.json;
});
app.use('/api/:version', (req) => {
  expectTypeOf(req.params.version).toEqualTypeOf<string>();
});
router.get('/posts{/:year}', (req) => {
  expectTypeOf(req.params.year).toEqualTypeOf<string | undefined>();
});
router.get('/files/*path', (req) => {
  expectTypeOf(req.params.path).toEqualTypeOf<string[]>();
});
router.get(['/a/:id', /b/], (req) => {
  expectTypeOf(req.params.id).toMatchTypeOf<string | string[] | undefined>();
});
router.get(/^\/(\d+)$/, (req) => {
  expectTypeOf(req.params[0]).toMatchTypeOf<string | undefined>();
});
app.get(['/a/:id', '/b/:id'], (req) => {
  expectTypeOf(req.params.id).toMatchTypeOf<string | string[] | undefined>();
});

router.get('/users/:id', (req) => {
  expectTypeOf(req.params.id).toEqualTypeOf<string>();
});
router.post('/users/:id', (req) => {
  expectTypeOf(req.params.id).toEqualTypeOf<string>();
});
router.put('/users/:id', (req) => {
  expectTypeOf(req.params.id).toEqualTypeOf<string>();
});
router.patch('/users/:id', (req) => {
  expectTypeOf(req.params.id).toEqualTypeOf<string>();
});
router.delete('/users/:id', (req) => {
  expectTypeOf(req.params.id).toEqualTypeOf<string>();
});
router.head('/users/:id', (req) => {
  expectTypeOf(req.params.id).toEqualTypeOf<string>();
});
router.options('/users/:id', (req) => {
  expectTypeOf(req.params.id).toEqualTypeOf<string>();
});
router.all('/users/:id', (req) => {
  expectTypeOf(req.params.id).toEqualTypeOf<string>();
});
router.use('/users/:id', (req) => {
  expectTypeOf(req.params.id).toEqualTypeOf<string>();
});
router['m-search']('/users/:id', (req) => {
  expectTypeOf(req.params.id).toEqualTypeOf<string>();
});

app
  .route('/routes/:id')
  .get((req) => {
    expectTypeOf(req.params.id).toEqualTypeOf<string>();
  })
  .post((req) => {
    expectTypeOf(req.params.id).toEqualTypeOf<string>();
  });

const path: string = '/dynamic/:id';
app.get(path, (req) => {
  expectTypeOf(req.params.anything as string | string[]).toEqualTypeOf<string | string[]>();
});

app.get<{ id: string }>(path, (req) => {
  expectTypeOf(req.params).toEqualTypeOf<{ id: string }>();
});
