/** Lists the cases that cannot be played over HTTP/2, and those that differ, by name and with the reason. */

const OWN_SERVER = 'not played: the package creates the server';
const NO_SERVER = 'not played: the package calls the application without a server';
const OWN_CLIENT = 'not played: its client uses HTTP/1.1';
const OTHER_FRAMEWORK = 'not played: the other framework creates the server';
const CLOSES_SERVER = 'not played: the package closes HTTP/1.1 servers';
const UPGRADES = 'not played: WebSockets start as HTTP/1.1 requests';

/** Cases that cannot be played over HTTP/2. The check fails if one can. */
export const NOT_PLAYED: Readonly<Record<string, string>> = {
  '@nestjs/platform-express': OWN_SERVER,
  '@nestjs/platform-express 12': OWN_SERVER,
  'webpack-dev-server': OWN_SERVER,
  '@feathersjs/express': OWN_SERVER,
  '@google-cloud/functions-framework': OWN_SERVER,
  'serverless-http': NO_SERVER,
  '@codegenie/serverless-express': NO_SERVER,
  '@vendia/serverless-express': NO_SERVER,
  'light-my-request': NO_SERVER,
  'node-mocks-http': NO_SERVER,
  supertest: OWN_CLIENT,
  'chai-http': OWN_CLIENT,
  fastify: OTHER_FRAMEWORK,
  koa: OTHER_FRAMEWORK,
  h3: OTHER_FRAMEWORK,
  connect: OTHER_FRAMEWORK,
  '@godaddy/terminus': CLOSES_SERVER,
  'http-terminator': CLOSES_SERVER,
  'http-graceful-shutdown': CLOSES_SERVER,
  stoppable: CLOSES_SERVER,
  ws: UPGRADES,
  'express-ws': UPGRADES,
  'socket.io': UPGRADES,
  sockjs: UPGRADES,
  peer: UPGRADES,
  ...Object.fromEntries(
    ['dd-trace', 'newrelic', 'elastic-apm-node'].map((agent) => [
      `${agent} on Node.js 22`,
      'not played: the case creates the server',
    ]),
  ),
  'better-sse': OWN_CLIENT,
  'express-sse': OWN_CLIENT,
};

const OPENTELEMETRY =
  '@opentelemetry/instrumentation-http only wraps node:http servers: requests over HTTP/2 have no span';

/** Cases whose package behaves differently over HTTP/2. The check fails if one does not differ. */
export const DIFFERING: Readonly<Record<string, string>> = {
  newrelic: 'the agent only wraps node:http servers: requests over HTTP/2 have no transaction',
  'elastic-apm-node':
    'the agent creates its own request object from the HTTP/2 stream, which has no route: "unknown route"',
  '@opentelemetry/instrumentation-express': OPENTELEMETRY,
  '@opentelemetry/instrumentation-express with options': OPENTELEMETRY,
  '@opentelemetry/instrumentation-router': OPENTELEMETRY,
  '@sentry/node': OPENTELEMETRY,
};
