// Plays suite.cjs with the test runner of Playwright, and its requests also with the fixture `request`.
const { test } = require('@playwright/test');
const suite = require('./suite.cjs');
const { askAll, create, withServer } = suite;

test('the fixture request', ({ request }) =>
  withServer(create().listen(0, '127.0.0.1'), (port) =>
    askAll(async (method, target, data) => {
      const headers = data ? { 'content-type': 'application/json' } : {};
      const url = `http://127.0.0.1:${port}${target}`;
      const res = await request.fetch(url, { method, headers, data, maxRedirects: 0 });
      return { status: res.status(), headers: res.headers(), text: await res.text() };
    }),
  ));

suite(test);
