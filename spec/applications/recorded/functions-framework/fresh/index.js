exports.hello = (req, res) =>
  res
    .status(req.path === '/teapot' ? 418 : 200)
    .json({ path: req.path, query: req.query, body: req.body, raw: String(req.rawBody ?? '') });
