/** The types of `nozomi/extras`. */

import { createServer } from 'node:http';
import { expectTypeOf } from 'expect-type';
import framework from 'nozomi';
import framework4 from 'nozomi/4';
import {
  context,
  getContext,
  methodNotAllowed,
  type RequestContext,
  strict,
  strictServer,
  validate,
} from 'nozomi/extras';
import { z } from 'zod';

const app = strict(framework(), { paths: 'normalize', host: false, requestTimeout: false });
expectTypeOf(app).toEqualTypeOf<ReturnType<typeof framework>>();
const app4 = framework4();
expectTypeOf(strict(app4)).toEqualTypeOf(app4);
const server = createServer(app);
expectTypeOf(strictServer(server)).toEqualTypeOf(server);
// @ts-expect-error the option does not exist
strict(framework(), { nope: true });

app.use(
  context({ requestIdHeader: 'X-Request-Id', genReqId: (req) => req.method ?? '' }),
  methodNotAllowed(),
);
framework4().use(context(), methodNotAllowed());
expectTypeOf(getContext()).toEqualTypeOf<RequestContext | undefined>();
// @ts-expect-error a request id is a string
context({ genReqId: () => 1 });

const params = z.object({ id: z.coerce.number() });
const query = z.object({ page: z.coerce.number().default(1) });
const body = z.object({ name: z.string() });
const response = z.object({ id: z.number() });

app.post('/users/:id', validate({ params, query, body, response }), (req, res) => {
  expectTypeOf(req.params).toEqualTypeOf<{ id: number }>();
  expectTypeOf(req.query).toEqualTypeOf<{ page: number }>();
  expectTypeOf(req.body).toEqualTypeOf<{ name: string }>();
  res.json({ id: req.params.id });
  // @ts-expect-error the response has no such member
  res.json({ nope: 1 });
});
app.get('/users/:id', validate({ query }), (req, res) => {
  expectTypeOf(req.params.id).toEqualTypeOf<string>();
  expectTypeOf(req.query).toEqualTypeOf<{ page: number }>();
  expectTypeOf(req.body).toEqualTypeOf<any>();
  res.json({ any: 1 });
});
app.route('/users').post(validate({ body }), (req) => {
  expectTypeOf(req.body).toEqualTypeOf<{ name: string }>();
});
framework.Router().put('/:id', validate({ params }), (req) => {
  expectTypeOf(req.params).toEqualTypeOf<{ id: number }>();
});
// @ts-expect-error not a schema
validate({ body: {} });
// @ts-expect-error not a part
validate({ headers: body });
