import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { createApp } from '../src/app.js';

let isReady = true;
const server = createApp({ hasLog: false, isReady: () => isReady }).listen(0);
let origin;

before(async () => {
  if (!server.listening) await once(server, 'listening');
  origin = `http://localhost:${server.address().port}`;
});
after(() => server.close());

const post = (path, form = {}) => fetch(origin + path, { method: 'POST', body: new URLSearchParams(form) });

test('adds, shows and deletes a note', async () => {
  const added = await (await post('/notes', { text: '<b>milk</b>' })).text();
  assert.match(added, /&lt;b&gt;milk/);
  const [, path = ''] = /action="(\/notes\/\d+\/delete)"/.exec(added) ?? [];
  assert.doesNotMatch(await (await post(path)).text(), /milk/);
});

test('refuses a note without text', async () => {
  const refused = await post('/notes', { text: ' ' });
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /A note needs a text/);
});

test('serves files and a page for what does not exist', async () => {
  assert.match((await fetch(`${origin}/style.css`)).headers.get('Content-Type') ?? '', /^text\/css/);
  const missing = await fetch(`${origin}/none`);
  assert.equal(missing.status, 404);
  assert.match(await missing.text(), /\/none does not exist/);
});

test('is alive, and ready until it ends', async () => {
  assert.equal((await fetch(`${origin}/health`)).status, 200);
  assert.equal((await fetch(`${origin}/ready`)).status, 200);
  isReady = false;
  assert.equal((await fetch(`${origin}/ready`)).status, 503);
});
