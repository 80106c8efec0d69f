// Looks at what surrounds an application: its process, its memory, its environment, its output and its own API.
const { execFileSync, spawn } = require('node:child_process');
const { existsSync, readFileSync, writeSync } = require('node:fs');
const { join } = require('node:path');
const v8 = require('node:v8');
const express = require('express');

// As dotenv does: a variable that exists stays.
const file = join(__dirname, 'conditions.env');
for (const [, name, value] of existsSync(file) ? readFileSync(file, 'utf8').matchAll(/(\w+)=(.*)/g) : [])
  process.env[name] ??= value;

const port = process.env.PORT ?? 3000;
const app = express();
app.get('/process', (_req, res) => {
  process.kill(process.pid, 0);
  const parent = execFileSync(process.execPath, ['-p', 'process.ppid']);
  res.json({ isParent: Number(parent) === process.pid, pid: process.pid });
});
app.get('/memory', (_req, res) => {
  const { rss, heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const { used_heap_size: used, heap_size_limit: limit, total_heap_size: total } = v8.getHeapStatistics();
  res.json(
    rss > heapTotal &&
      heapTotal > heapUsed * 1.1 &&
      external >= arrayBuffers &&
      limit > total &&
      total > used,
  );
});
app.get('/environment', (_req, res) => res.json([process.env.NODE_ENV, app.get('env'), typeof process.send]));
app.get('/api', (_req, res) => res.json({ own: true }));
app.get('/page', async (_req, res) => res.json(await (await fetch(`http://localhost:${port}/api`)).json()));
app.get('/written', (_req, res) => {
  writeSync(1, 'direct\n');
  execFileSync(process.execPath, ['-e', 'console.log("child")'], { stdio: 'inherit' });
  console.log({ 'x-powered-by': res.getHeader('X-Powered-By'), pid: process.pid });
  res.json({ headers: res.getHeaders() });
});
// Keeps the pipes of this process open.
spawn(process.execPath, ['-e', 'setTimeout(() => {}, 120000)'], { stdio: 'inherit' }).unref();
app.listen(port, () => console.log(`listening on ${port}`));
