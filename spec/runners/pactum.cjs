// Plays the requests of suite.cjs with Pactum.
const { test } = require('node:test');
const pactum = require('pactum');
const { askAll, create, withServer } = require('./suite.cjs');

test('Pactum', () =>
  withServer(create().listen(0, '127.0.0.1'), (port) =>
    askAll(async (method, target, body) => {
      const spec = pactum.spec().withMethod(method).withPath(`http://127.0.0.1:${port}${target}`);
      if (body) spec.withHeaders('content-type', 'application/json').withBody(body);
      const { statusCode, headers, text } = await spec.toss();
      return { status: statusCode, headers, text };
    }),
  ));
