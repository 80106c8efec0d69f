// The example of docs/security/spellings.md and docs/errors.md. It accepts one spelling for each path and one Host
// header, and responds with the code of each refusal.
const nozomi = require('nozomi');

const site = nozomi().enable('strict paths').enable('strict host');
site.use('/admin', (_req, res) => res.sendStatus(403));
site.use((req, res) => res.send(req.path));

const front = nozomi().use(site);
front.use((err, _req, res, _next) => res.status(err.status ?? 500).json({ code: err.code }));

front.listen(process.env.PORT ?? 3000);
