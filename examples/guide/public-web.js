// The example of docs/security/strict.md: a server for the public web, with its own 404 and error pages.
const nozomi = require('nozomi');
const { methodNotAllowed, strict } = require('nozomi/extras');

const app = strict(nozomi(), { requestTimeout: 30_000 });
app.route('/users').post(nozomi.json({ limit: '10kb' }), (req, res) => res.status(201).json(req.body));

app.use(methodNotAllowed());
app.use((req, res) => res.status(404).json({ missing: req.path }));
app.use((err, _req, res, _next) => {
  res
    .status(err.status ?? 500)
    .set(err.headers ?? {})
    .json({ error: err.message });
});

app.listen(process.env.PORT ?? 3000);
