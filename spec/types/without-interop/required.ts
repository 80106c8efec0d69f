// A CommonJS program without `esModuleInterop`, with `import … = require()`.
import http = require('node:http');
import express = require('express');

import { expectTypeOf } from 'expect-type';

const app = express();
const router: express.Router = express.Router({ mergeParams: true });
app.use(express.static('public', { maxAge: '1d' }), express.json({ limit: '1mb' }), router);
app.use(express.urlencoded({ extended: true }), express.text(), express.raw());
app.get('/users/:id', (req: express.Request, res: express.Response, next: express.NextFunction) => {
  if (!req.query.q) return next();
  res.json({ id: req.params.id });
});
app.get('/users/:id', (req, res) => {
  expectTypeOf(req.params.id).toEqualTypeOf<string>();
  res.send(req.params.id);
});
http.createServer(app).listen(0);

// Without types, `static` and the parsers would be `any`.
expectTypeOf(express.static).not.toBeAny();
expectTypeOf(express.json).not.toBeAny();
expectTypeOf(express.static).parameter(0).toEqualTypeOf<string>();
// @ts-expect-error The root is a string.
express.static(1);
// @ts-expect-error There is no such option.
express.static('public', { maxage: 1 });
