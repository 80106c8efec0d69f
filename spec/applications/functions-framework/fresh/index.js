// Says hello, answers with what it was sent, or fails: what the documentation of the framework shows first.
exports.hello = (req, res) => {
  const { path, query, body, rawBody } = req;
  if (path === '/fail') throw new Error('failed on purpose');
  if (path === '/echo') return res.json({ query, body: body ?? null, raw: rawBody?.length ?? null });
  res.send(`Hello ${query.name || body?.name || 'World'}!`);
};
