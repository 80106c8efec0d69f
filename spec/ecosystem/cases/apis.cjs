// Packages for GraphQL, RPC, webhooks and bots.
const { createHmac } = require('node:crypto');
const schema = () =>
  require('graphql').buildSchema('type Query { hello(name: String): String, fail: String }');
const rootValue = {
  hello: ({ name }) => `Hello ${name ?? 'world'}`,
  fail: () => {
    throw new Error('no');
  },
};

/** Sends the same queries to each GraphQL server. */
async function ask({ get, post }) {
  await post('/graphql', { json: { query: '{ hello }' } });
  await post('/graphql', {
    json: { query: 'query Q($n: String) { hello(name: $n) }', variables: { n: 'Ann' } },
  });
  await post('/graphql', { json: { query: '{ fail }' } });
  await post('/graphql', { json: { query: '{ nothing }' } });
  await get(`/graphql?query=${encodeURIComponent('{ hello }')}`, {
    headers: { 'Content-Type': 'application/json' },
  });
}

module.exports = {
  'graphql-http': {
    shows: 'serves queries, variables and errors',
    uses: ['graphql'],
    app() {
      const { createHandler } = require('graphql-http/lib/use/express');
      const app = require('express')();
      return app.all('/graphql', createHandler({ schema: schema(), rootValue }));
    },
    play: ask,
    statuses: [200, 200, 200, 200, 200],
  },
  '@apollo/server': {
    shows: 'runs as middleware with cors, json and a context from the request',
    uses: ['@as-integrations/express5', 'cors', 'graphql'],
    async app() {
      const { ApolloServer } = require('@apollo/server');
      const { expressMiddleware } = require('@as-integrations/express5');
      const express = require('express');
      const server = new ApolloServer({
        typeDefs: 'type Query { hello(name: String): String, fail: String }',
        resolvers: {
          Query: {
            hello: (_, { name }, { url }) => `Hello ${name ?? 'world'} at ${url}`,
            fail: rootValue.fail,
          },
        },
        includeStacktraceInErrorResponses: false,
        stopOnTerminationSignals: false,
      });
      await server.start();
      const app = express();
      app.use(
        '/graphql',
        require('cors')(),
        express.json(),
        expressMiddleware(server, { context: async ({ req }) => ({ url: req.originalUrl }) }),
      );
      return app;
    },
    play: ask,
    statuses: [200, 200, 200, 400, 200],
  },
  'graphql-yoga': {
    shows: 'is mounted at its endpoint, streams its page',
    uses: ['graphql'],
    app() {
      const { createYoga, createSchema } = require('graphql-yoga');
      const yoga = createYoga({
        schema: createSchema({
          typeDefs: 'type Query { hello(name: String): String, fail: String }',
          resolvers: { Query: { hello: (_, { name }) => `Hello ${name ?? 'world'}`, fail: rootValue.fail } },
        }),
        logging: false,
        maskedErrors: true,
      });
      const app = require('express')();
      app.use(yoga.graphqlEndpoint, yoga);
      return app;
    },
    async play(context) {
      await ask(context);
      await context.get('/graphql', { headers: { Accept: 'text/html' } });
    },
    statuses: [200, 200, 200, 200, 200, 200],
  },
  '@trpc/server': {
    shows: 'serves queries, mutations, batches and errors',
    uses: ['zod'],
    app() {
      const { initTRPC, TRPCError } = require('@trpc/server');
      const { createExpressMiddleware } = require('@trpc/server/adapters/express');
      const { z } = require('zod');
      const t = initTRPC.context().create({ isDev: false });
      const router = t.router({
        greet: t.procedure.input(z.string()).query(({ input, ctx }) => `${ctx.lang} ${input}`),
        add: t.procedure.input(z.object({ n: z.number() })).mutation(({ input }) => input.n + 1),
        no: t.procedure.query(() => {
          throw new TRPCError({ code: 'FORBIDDEN', message: 'no' });
        }),
      });
      const app = require('express')();
      app.use(
        '/trpc',
        createExpressMiddleware({
          router,
          createContext: ({ req, res }) => {
            res.set('X-Context', 'made');
            return { lang: req.get('Accept-Language') };
          },
        }),
      );
      return app;
    },
    async play({ get, post }) {
      const headers = { 'Accept-Language': 'en' };
      await get('/trpc/greet?input=%22Ann%22', { headers });
      await get('/trpc/greet,no?batch=1&input=%7B%220%22%3A%22Ann%22%7D', { headers });
      await post('/trpc/add', { json: { n: 1 } });
      await post('/trpc/add', { json: { n: 'x' } });
      await get('/trpc/nothing');
    },
    statuses: [200, 207, 200, 400, 404],
  },
  jayson: {
    shows: 'serves JSON-RPC as middleware',
    app() {
      const express = require('express');
      const server = new (require('jayson').Server)({ add: ([a, b], done) => done(null, a + b) });
      const app = express();
      app.use(express.json(), server.middleware());
      return app;
    },
    async play({ get, post }) {
      await post('/', { json: { jsonrpc: '2.0', id: 1, method: 'add', params: [1, 2] } });
      await post('/', { json: { jsonrpc: '2.0', id: 1, method: 'none' } });
      await post('/', { json: { jsonrpc: '2.0', method: 'add', params: [1, 2] } });
      await get('/');
    },
    statuses: [200, 200, 204, 405],
  },
  soap: {
    shows: 'listens on an application, serves its WSDL and a call',
    app({ files }) {
      const { readFileSync } = require('node:fs');
      const app = require('express')();
      const wsdl = readFileSync(`${files}/hello.wsdl`, 'utf8');
      app.listening = new Promise((resolve) =>
        require('soap').listen(app, {
          path: '/hello',
          services: { Hello: { Port: { sayHello: ({ name }) => ({ greeting: `Hello ${name}` }) } } },
          xml: wsdl,
          callback: resolve,
        }),
      );
      return app;
    },
    async play({ app, get, post }) {
      await app.listening;
      await get('/hello?wsdl');
      await post('/hello', {
        headers: { 'Content-Type': 'text/xml', SOAPAction: 'sayHello' },
        body: '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><sayHello xmlns="urn:hello"><name>Ann</name></sayHello></s:Body></s:Envelope>',
      });
    },
    statuses: [200, 200],
  },
  '@slack/bolt': {
    shows: 'verifies signatures with its ExpressReceiver, next to other routes',
    uses: ['undici'],
    app() {
      const { App, ExpressReceiver, LogLevel } = require('@slack/bolt');
      const receiver = new ExpressReceiver({ signingSecret: 'shh', logLevel: LogLevel.ERROR });
      const bolt = new App({
        receiver,
        authorize: async () => ({ botToken: 'xoxb' }),
        logLevel: LogLevel.ERROR,
      });
      bolt.command('/hi', async ({ ack, command }) => ack(`Hi ${command.text}`));
      receiver.router.get('/own', (_req, res) => res.send('own route'));
      return receiver.app;
    },
    async play({ get, post }) {
      const signed = (body, type) => {
        const time = `${Math.floor(Date.now() / 1000)}`;
        return {
          body,
          headers: {
            'Content-Type': type,
            'X-Slack-Request-Timestamp': time,
            'X-Slack-Signature': `v0=${createHmac('sha256', 'shh').update(`v0:${time}:${body}`).digest('hex')}`,
          },
        };
      };
      await get('/own');
      await post(
        '/slack/events',
        signed('{"type":"url_verification","challenge":"abc"}', 'application/json'),
      );
      await post(
        '/slack/events',
        signed(
          'command=%2Fhi&text=Ann&team_id=T&user_id=U&channel_id=C&response_url=',
          'application/x-www-form-urlencoded',
        ),
      );
      await post('/slack/events', { ...signed('{}', 'application/json'), body: '{"changed":1}' });
    },
    statuses: [200, 200, 200, 401],
  },
  twilio: {
    shows: 'checks the signature of a webhook',
    app() {
      const express = require('express');
      const twilio = require('twilio');
      const app = express();
      app.use(express.urlencoded());
      return app.post(
        '/voice',
        twilio.webhook({ validate: true, host: 'example.com', protocol: 'https' }, 'token'),
        (_req, res) => res.type('text/xml').send(String(new twilio.twiml.VoiceResponse())),
      );
    },
    async play({ post }) {
      const signature = createHmac('sha1', 'token').update('https://example.com/voiceFrom1').digest('base64');
      await post('/voice', { form: { From: '1' }, headers: { 'X-Twilio-Signature': signature } });
      await post('/voice', { form: { From: '1' }, headers: { 'X-Twilio-Signature': 'wrong' } });
      await post('/voice', { form: { From: '1' } });
    },
    statuses: [200, 403, 400],
  },
  '@octokit/webhooks': {
    shows: 'handles its path and passes other requests to the routes',
    async app({ note }) {
      const { Webhooks, createNodeMiddleware } = await import('@octokit/webhooks');
      const webhooks = new Webhooks({ secret: 'shh' });
      webhooks.on('ping', ({ id, payload }) => note('ping', [id, payload]));
      const app = require('express')();
      app.use(
        createNodeMiddleware(webhooks, {
          path: '/hooks',
          log: { debug() {}, info() {}, warn() {}, error() {} },
        }),
      );
      return app.get('/', (_req, res) => res.send('home'));
    },
    async play({ get, post }) {
      const body = '{"zen":"calm"}';
      const headers = {
        'Content-Type': 'application/json',
        'X-GitHub-Event': 'ping',
        'X-GitHub-Delivery': '1',
        'X-Hub-Signature-256': `sha256=${createHmac('sha256', 'shh').update(body).digest('hex')}`,
      };
      await get('/');
      await post('/hooks', { body, headers });
      await post('/hooks', { body: '{"zen":"forged"}', headers });
    },
    statuses: [200, 200, 400],
  },
  grammy: {
    shows: 'receives updates of a bot and responds with a method',
    app() {
      const express = require('express');
      const { Bot, webhookCallback } = require('grammy');
      const bot = new Bot('1:token', {
        botInfo: { id: 1, is_bot: true, first_name: 'b', username: 'b' },
        client: { canUseWebhookReply: () => true },
      });
      bot.on('message:text', (context) => context.reply(`got ${context.message.text}`));
      const app = express();
      app.use(express.json());
      return app.post('/bot', webhookCallback(bot, 'express', { secretToken: 'shh' }));
    },
    async play({ post }) {
      const json = {
        update_id: 1,
        message: { message_id: 1, date: 0, chat: { id: 1, type: 'private' }, text: 'hi' },
      };
      await post('/bot', { json, headers: { 'X-Telegram-Bot-Api-Secret-Token': 'shh' } });
      await post('/bot', { json });
    },
    statuses: [200, 401],
  },
  telegraf: {
    shows: 'receives updates of a bot at a secret path',
    app() {
      const { Telegraf } = require('telegraf');
      const bot = new Telegraf('1:token', { telegram: { webhookReply: true } });
      bot.botInfo = { id: 1, is_bot: true, first_name: 'b', username: 'b' };
      bot.on('text', (context) => context.reply(`got ${context.message.text}`));
      const app = require('express')();
      app.use(bot.webhookCallback('/secret'));
      return app.get('/', (_req, res) => res.send('home'));
    },
    async play({ get, post }) {
      await get('/');
      await post('/secret', {
        json: {
          update_id: 1,
          message: { message_id: 1, date: 0, chat: { id: 1, type: 'private' }, text: 'hi' },
        },
      });
    },
    statuses: [200, 200],
  },
  '@modelcontextprotocol/sdk': {
    shows: 'serves tools over its streamable transport, and checks the host',
    uses: ['zod'],
    app() {
      const { McpServer } = require('@modelcontextprotocol/sdk/server/mcp.js');
      const { StreamableHTTPServerTransport } = require('@modelcontextprotocol/sdk/server/streamableHttp.js');
      const { createMcpExpressApp } = require('@modelcontextprotocol/sdk/server/express.js');
      const { z } = require('zod');
      const app = createMcpExpressApp();
      app.all('/mcp', async (req, res) => {
        const server = new McpServer({ name: 'adder', version: '1.0.0' });
        server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, async ({ a, b }) => ({
          content: [{ type: 'text', text: `${a + b}` }],
        }));
        const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
        res.on('close', () => transport.close());
        await server.connect(transport);
        await transport.handleRequest(req, res, req.body);
      });
      return app;
    },
    async play({ post }) {
      const headers = { Accept: 'application/json, text/event-stream' };
      const call = (method, params) => ({ jsonrpc: '2.0', id: 1, method, params });
      await post('/mcp', {
        headers,
        json: call('initialize', {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'c', version: '1' },
        }),
      });
      await post('/mcp', { headers, json: call('tools/call', { name: 'add', arguments: { a: 1, b: 2 } }) });
      await post('/mcp', { headers, json: call('tools/call', { name: 'add', arguments: { a: 'x' } }) });
      await post('/mcp', { json: call('tools/list') });
      await post('/mcp', { headers: { ...headers, Host: 'evil.test' }, json: call('tools/list') });
    },
    statuses: [200, 200, 200, 406, 403],
  },
  '@connectrpc/connect-express': {
    shows: 'serves a method of a service, as JSON, with its errors',
    uses: ['@connectrpc/connect', '@connectrpc/connect-node', '@bufbuild/protobuf'],
    app() {
      const { expressConnectMiddleware } = require('@connectrpc/connect-express');
      const { ConnectError, Code } = require('@connectrpc/connect');
      const { StringValueSchema } = require('@bufbuild/protobuf/wkt');
      const method = {
        kind: 'rpc',
        name: 'Hi',
        localName: 'hi',
        parent: { typeName: 'test.Greeter' },
        methodKind: 'unary',
        input: StringValueSchema,
        output: StringValueSchema,
        idempotency: 0,
      };
      const service = {
        kind: 'service',
        typeName: 'test.Greeter',
        name: 'Greeter',
        methods: [method],
        method: { hi: method },
      };
      const routes = (router) =>
        router.service(service, {
          hi(request) {
            if (request.value === '') throw new ConnectError('no name', Code.InvalidArgument);
            return { value: `Hi ${request.value}` };
          },
        });
      return require('express')()
        .use(expressConnectMiddleware({ routes }))
        .get('/', (_req, res) => res.send('home'));
    },
    async play({ get, post }) {
      await get('/');
      await post('/test.Greeter/Hi', { json: 'Ann' });
      await post('/test.Greeter/Hi', { json: '' });
      await post('/test.Greeter/None', { json: '' });
    },
    statuses: [200, 200, 400, 404],
  },
};
