/** The cases whose responses over HTTP/2 differ from those over HTTP/1.1, by name, with the reason. */

const OWN_SERVER = 'not played: the package creates the server';
const NO_SERVER = 'not played: the package calls the application without a server';
const OWN_CLIENT = 'not played: its client speaks HTTP/1.1';
const OTHER_FRAMEWORK = 'not played: the server is that of the other framework';
const CLOSES_SERVER = 'not played: the package closes servers of HTTP/1.1';
const UPGRADES = 'not played: WebSockets begin with HTTP/1.1';

/** These cases use the server itself, or its address. */
export const NOT_PLAYED: Readonly<Record<string, string>> = {
  '@nestjs/platform-express': OWN_SERVER,
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
  'better-sse': OWN_CLIENT,
  'express-sse': OWN_CLIENT,
};

const OPENTELEMETRY =
  '@opentelemetry/instrumentation-http wraps servers of node:http alone: requests over HTTP/2 have no span';

/** These packages cannot respond equally, so they must differ. */
export const DIFFERING: Readonly<Record<string, string>> = {
  newrelic: 'it wraps servers of node:http alone: requests over HTTP/2 have no transaction',
  'elastic-apm-node':
    'it makes a copy of the request from the HTTP/2 stream, and finds no route in it: "unknown route"',
  '@opentelemetry/instrumentation-express': OPENTELEMETRY,
  '@opentelemetry/instrumentation-express with options': OPENTELEMETRY,
  '@opentelemetry/instrumentation-router': OPENTELEMETRY,
  '@sentry/node': OPENTELEMETRY,
};
