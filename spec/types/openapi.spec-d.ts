/** The types of `nozomi/openapi`. */

import { expectTypeOf } from 'expect-type';
import framework from 'nozomi';
import framework4 from 'nozomi/4';
import { type Document, describeRoute, openapi, toOpenApi } from 'nozomi/openapi';
import { z } from 'zod';

const app = framework();
app.use(openapi(), openapi({ path: '/v1.json', info: { title: 'Users' }, jsdoc: true, error: z.object({}) }));
app.use('/docs', openapi({ toJsonSchema: (_schema, direction) => ({ title: direction }) }));
app.get(
  '/',
  describeRoute({ tags: ['users'], responses: { 404: { description: 'none' } }, 'x-own': 1 }),
  (req) => {
    expectTypeOf(req.query.any).not.toBeAny();
  },
);
framework4().use(openapi(), describeRoute({ hide: true }));
expectTypeOf(toOpenApi(app).document).toEqualTypeOf<Document>();
expectTypeOf(toOpenApi(framework.Router(), { jsdoc: true }).notes).toEqualTypeOf<readonly string[]>();
// @ts-expect-error tags are names
describeRoute({ tags: [{ name: 'users' }] });
// @ts-expect-error a path is text
openapi({ path: /x/ });
