// Plays the requests of suite.cjs while MSW intercepts those that the application sends to another host.
const assert = require('node:assert');
const nodeHttp = require('node:http');
const { test } = require('node:test');
const { http, HttpResponse } = require('msw');
const { setupServer } = require('msw/node');
const { askAll, askOver, create, withServer } = require('./suite.cjs');

test('MSW', async () => {
  const mocked = setupServer(
    http.get('http://other.test/users/:id', ({ params }) => HttpResponse.json({ id: params.id })),
  );
  mocked.listen({ onUnhandledRequest: 'bypass' });
  const app = create();
  app.get('/fetch/:id', (req, res, next) => {
    fetch(`http://other.test/users/${req.params.id}`)
      .then((response) => response.json())
      .then((user) => res.json(user), next);
  });
  app.get('/pipe/:id', (req, res) => {
    // Not destructured: MSW replaces `get`.
    nodeHttp.get(`http://other.test/users/${req.params.id}`, (response) => response.pipe(res));
  });
  await withServer(app.listen(0, '127.0.0.1'), async (port) => {
    const ask = askOver(port);
    await askAll(ask);
    for (const path of ['/fetch/7', '/pipe/7'])
      assert.equal(JSON.parse((await ask('GET', path)).text).id, '7');
  });
  mocked.close();
});
