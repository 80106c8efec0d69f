// Packages that validate requests, or document them with OpenAPI.
const openapi = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1.0.0' },
  paths: {
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: {
          200: {
            description: 'A pet',
            content: {
              'application/json': {
                schema: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
              },
            },
          },
        },
      },
    },
    '/pets': {
      post: {
        operationId: 'addPet',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
            },
          },
        },
        responses: { 201: { description: 'Added' } },
      },
    },
  },
};
const tellError = (err, _req, res, _next) =>
  res.status(err.status ?? err.statusCode ?? 500).json([err.message, err.errors ?? null]);

module.exports = {
  'express-validator': {
    shows: 'validates and sanitizes body, query and params',
    app() {
      const express = require('express');
      const { body, query, param, matchedData, validationResult } = require('express-validator');
      const app = express();
      app.post(
        '/users/:id',
        express.json(),
        param('id').isInt().toInt(),
        query('q').optional().trim().escape(),
        body('email').isEmail().normalizeEmail(),
        (req, res) => {
          const errors = validationResult(req);
          res
            .status(errors.isEmpty() ? 200 : 422)
            .json(errors.isEmpty() ? [matchedData(req), req.params, req.query, req.body] : errors.array());
        },
      );
      return app;
    },
    async play({ post }) {
      await post('/users/7?q=%20<b>%20', { json: { email: 'Ann@GMAIL.com' } });
      await post('/users/x', { json: { email: 'no' } });
    },
    statuses: [200, 422],
  },
  celebrate: {
    shows: 'validates with joi and formats its errors',
    uses: ['joi'],
    app() {
      const express = require('express');
      const { celebrate, errors, Segments } = require('celebrate');
      const Joi = require('joi');
      const app = express();
      app.post(
        '/:id',
        express.json(),
        celebrate({
          [Segments.PARAMS]: { id: Joi.number().required() },
          [Segments.BODY]: Joi.object({ name: Joi.string().required(), role: Joi.string().default('admin') }),
        }),
        (req, res) => res.json([req.params, req.body]),
      );
      app.use(errors());
      return app;
    },
    async play({ post }) {
      await post('/7', { json: { name: 'ann' } });
      await post('/7', { json: {} });
      await post('/x', { json: { name: 'ann' } });
    },
    statuses: [200, 400, 400],
  },
  'express-zod-safe': {
    shows: 'parses body, query and params with zod',
    uses: ['zod'],
    async app() {
      const express = require('express');
      const { default: validate } = await import('express-zod-safe');
      const { z } = require('zod');
      const app = express();
      app.post(
        '/:id',
        express.json(),
        validate({
          params: { id: z.coerce.number() },
          query: { page: z.coerce.number().default(1) },
          body: { name: z.string() },
        }),
        (req, res) => res.json([req.params, req.query, req.body]),
      );
      return app;
    },
    async play({ post }) {
      await post('/7?page=3', { json: { name: 'ann' } });
      await post('/7', { json: {} });
      await post('/x', { json: { name: 'ann' } });
    },
    statuses: [200, 400, 400],
  },
  'express-json-validator-middleware': {
    shows: 'validates with JSON schemas',
    app() {
      const express = require('express');
      const { Validator } = require('express-json-validator-middleware');
      const { validate } = new Validator();
      const app = express();
      app.post(
        '/',
        express.json(),
        validate({ body: { type: 'object', required: ['n'], properties: { n: { type: 'number' } } } }),
        (req, res) => res.json(req.body),
      );
      app.use((err, _req, res, _next) => res.status(400).json([err.name, err.validationErrors]));
      return app;
    },
    async play({ post }) {
      await post('/', { json: { n: 1 } });
      await post('/', { json: { n: 'one' } });
    },
    statuses: [200, 400],
  },
  'express-openapi-validator': {
    shows: 'validates requests and responses by an OpenAPI document',
    app() {
      const express = require('express');
      const app = express();
      app.use(
        express.json(),
        require('express-openapi-validator').middleware({ apiSpec: openapi, validateResponses: true }),
      );
      app.get('/pets/:id', (req, res) =>
        res.json(req.params.id === 13 ? { bad: true } : { id: req.params.id }),
      );
      app.post('/pets', (_req, res) => res.status(201).end());
      app.use(tellError);
      return app;
    },
    async play({ get, post }) {
      for (const path of ['/pets/7', '/pets/x', '/pets/13', '/unknown']) await get(path);
      await post('/pets', { json: { name: 'rex' } });
      await post('/pets', { json: {} });
      await post('/pets', { body: 'rex', headers: { 'Content-Type': 'text/plain' } });
    },
    statuses: [200, 400, 500, 404, 201, 400, 415],
  },
  'openapi-backend': {
    shows: 'routes by operation id from one handler',
    async app() {
      const express = require('express');
      const { OpenAPIBackend } = require('openapi-backend');
      const api = new OpenAPIBackend({ definition: structuredClone(openapi), quick: true });
      api.register({
        getPet: (c, _req, res) => res.json({ id: Number(c.request.params.id) }),
        addPet: (c, _req, res) => res.status(201).json(c.request.requestBody),
        validationFail: (c, _req, res) => res.status(400).json(c.validation.errors),
        notFound: (_c, _req, res) => res.status(404).json('not found'),
      });
      await api.init();
      const app = express();
      app.use(express.json());
      app.use((req, res) => api.handleRequest(req, req, res));
      return app;
    },
    async play({ get, post }) {
      for (const path of ['/pets/7', '/pets/x', '/unknown']) await get(path);
      await post('/pets', { json: { name: 'rex' } });
    },
    statuses: [200, 400, 404, 201],
  },
  'express-openapi': {
    shows: 'builds the routes from the paths of a document',
    async app() {
      const express = require('express');
      const app = express();
      await require('express-openapi').initialize({
        app,
        apiDoc: { swagger: '2.0', info: { title: 'Pets', version: '1' }, basePath: '/v1', paths: {} },
        paths: [
          {
            path: '/pets/{id}',
            module: {
              parameters: [{ name: 'id', in: 'path', type: 'integer', required: true }],
              get: Object.assign((req, res) => res.json(req.params), {
                apiDoc: { responses: { 200: { description: 'ok' } } },
              }),
            },
          },
        ],
        errorMiddleware: (err, _req, res, _next) => res.status(err.status).json(err.errors),
      });
      return app;
    },
    async play({ get }) {
      for (const path of ['/v1/pets/7', '/v1/pets/x', '/v1/api-docs']) await get(path);
    },
    statuses: [200, 400, 200],
  },
  '@ts-rest/express': {
    shows: 'serves a contract',
    uses: ['@ts-rest/core', 'zod'],
    app() {
      const express = require('express');
      const { initContract } = require('@ts-rest/core');
      const { createExpressEndpoints, initServer } = require('@ts-rest/express');
      const c = initContract();
      const contract = c.router({
        getPost: { method: 'GET', path: '/posts/:id', responses: { 200: c.type(), 404: c.type() } },
        addPost: { method: 'POST', path: '/posts', body: c.type(), responses: { 201: c.type() } },
      });
      const s = initServer();
      const app = express();
      app.use(express.json());
      createExpressEndpoints(
        contract,
        s.router(contract, {
          getPost: async ({ params }) =>
            params.id === '7' ? { status: 200, body: params } : { status: 404, body: null },
          addPost: async ({ body }) => ({ status: 201, body }),
        }),
        app,
        { logInitialization: false },
      );
      return app;
    },
    async play({ get, post }) {
      await get('/posts/7');
      await get('/posts/8');
      await post('/posts', { json: { title: 'x' } });
    },
    statuses: [200, 404, 201],
  },
  'swagger-ui-express': {
    shows: 'serves the pages of Swagger UI with a document in them',
    app() {
      const ui = require('swagger-ui-express');
      const app = require('express')();
      app.use('/api-docs', ui.serve, ui.setup(openapi, { customCss: '.topbar { display: none }' }));
      return app;
    },
    async play({ get }) {
      for (const file of ['', '/', '/swagger-ui-init.js', '/swagger-ui.css', '/nothing'])
        await get(`/api-docs${file}`);
    },
    statuses: [301, 200, 200, 200, 200],
    mask: [/W\/"[^"]+"/g, /\w+, \d\d \w+ \d{4} [\d:]+ GMT/g],
  },
  'swagger-jsdoc': {
    shows: 'generates an OpenAPI document from comments, and serves it',
    app({ files }) {
      const app = require('express')();
      const doc = require('swagger-jsdoc')({
        definition: { openapi: '3.0.0', info: { title: 'T', version: '1' } },
        apis: [`${files}/commented.js`],
      });
      return app.get('/doc', (_req, res) => res.json(doc));
    },
    async play({ get }) {
      await get('/doc');
    },
    statuses: [200],
  },
};
