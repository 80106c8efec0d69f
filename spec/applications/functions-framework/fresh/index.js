// A function like those in the documentation of functions-framework: it greets, echoes the request, or throws.
exports.hello = (req, res) => {
  const { path, query, body, rawBody } = req;
  if (path === '/fail') throw new Error('failed on purpose');
  if (path === '/echo') return res.json({ query, body: body ?? null, raw: rawBody?.length ?? null });
  res.send(`Hello ${query.name || body?.name || 'World'}!`);
};
