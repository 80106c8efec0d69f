module.exports = async (ask) => {
  const call = (query, method, params, more) =>
    ask('POST', `/rpc?${query}`, { json: { jsonrpc: '2.0', id: 4, method, params, ...more } });
  await call('add', 'math.add', { a: 1, b: 2 });
  const { data } = await call('start', 'job.start', { kind: 'import' });
  await call('get', 'job.get', { jobId: data.result.jobId });
  await call('gone', 'job.get', { jobId: 'none' }, { trace: true });
  await call('split', 'text.split', { text: 'a b c' });
  await call('none', 'no.method', {});
  await ask('POST', '/rpc?batch', {
    json: [
      { jsonrpc: '2.0', id: 1, method: 'math.add', params: { a: 3, b: 4 } },
      { jsonrpc: '2.0', id: 2, method: 'text.split', params: { text: 'x y' } },
    ],
  });
  await ask('POST', '/rpc?note', { json: { jsonrpc: '2.0', method: 'math.add', params: { a: 1, b: 1 } } });
  await ask('POST', '/rpc?broken', { body: '{"jsonrpc":', headers: { 'Content-Type': 'application/json' } });
};
