import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { createApp } from '../src/app.js';

let isReady = true;
const server = createApp({ hasLog: false, isReady: () => isReady }).listen(0);
let origin: string;

before(async () => {
  if (!server.listening) await once(server, 'listening');
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
});
after(() => void server.close());

const post = (body: unknown) =>
  fetch(`${origin}/notes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

test('adds, shows and deletes a note', async () => {
  const added = await post({ text: 'Buy milk' });
  assert.equal(added.status, 201);
  const note = await added.json();
  const url = `${origin}${added.headers.get('Location')}`;

  assert.deepEqual(await (await fetch(url)).json(), note);
  assert.deepEqual(await (await fetch(`${origin}/notes`)).json(), [note]);
  assert.equal((await fetch(url, { method: 'DELETE' })).status, 204);
  assert.equal((await fetch(url)).status, 404);
});

test('refuses a note without text', async () => {
  const refused = await post({ text: '' });
  assert.equal(refused.status, 400);
  assert.match((await refused.json()).error, /^Invalid body\.text/);
});

test('describes itself', async () => {
  const { paths } = await (await fetch(`${origin}/openapi.json`)).json();
  assert.deepEqual(Object.keys(paths).sort(), ['/health', '/notes', '/notes/{id}', '/ready']);
});

test('is alive, and ready until it ends', async () => {
  assert.equal((await fetch(`${origin}/health`)).status, 200);
  assert.equal((await fetch(`${origin}/ready`)).status, 200);
  isReady = false;
  assert.equal((await fetch(`${origin}/ready`)).status, 503);
});
