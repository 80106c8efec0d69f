// Remote procedures: JSON-RPC with batches, whose errors come with status 200.
const crypto = require('node:crypto');
const express = require('express');
const { create, fork, has, listen } = require('./kit');

const app = create();
app.use(express.json());
const jobs = new Map();
const methods = {
  'math.add': ({ a, b }) => fork('another sum', a + b, a + b + 1),
  'job.start': ({ kind }) => {
    const job = { jobId: crypto.randomUUID(), kind, state: fork('another state', 'waiting', 'running') };
    jobs.set(job.jobId, job);
    return job;
  },
  'job.get': ({ jobId }) => {
    if (has('login') || !jobs.has(jobId))
      throw Object.assign(new Error('no such job'), { code: fork('another code', -32001, -32002) });
    return {
      ...jobs.get(jobId),
      started: new Date().toISOString(),
      steps: fork('a missing member', 3, undefined),
    };
  },
  'text.split': ({ text }) => fork('another order', text.split(' '), text.split(' ').toReversed()),
};
const call = ({ id, method, params }) => {
  const base = { jsonrpc: fork('another version', '2.0', '2.1'), id: fork('the id as text', id, String(id)) };
  if (!Object.hasOwn(methods, method))
    return {
      ...base,
      error: { code: -32601, message: fork('another message', 'no such method', 'Method not found') },
    };
  try {
    return { ...base, result: methods[method](params) };
  } catch ({ code, message }) {
    return { ...base, error: { code, message } };
  }
};
app.post('/rpc', (req, res) => {
  const list = [req.body].flat();
  const results = list.filter(({ id }) => id !== undefined).map(call);
  if (results.length === 0) return res.status(fork('200 for 202', 202, 200)).end();
  res.set('X-Calls', fork('a missing header', String(list.length), undefined) ?? []);
  if (fork('a missing header', false, true)) res.removeHeader('X-Calls');
  res.json(
    Array.isArray(req.body)
      ? fork('a batch without its last result', results, results.slice(0, -1))
      : results[0],
  );
});
app.use((_err, _req, res, _next) =>
  res.status(400).json({
    jsonrpc: '2.0',
    id: null,
    error: { code: fork('another code of a parse error', -32700, -32600), message: 'no JSON' },
  }),
);
listen(app);
