// The example of docs/schemas.md: parameters and bodies that zod checks and converts.
const nozomi = require('nozomi');
const { validate } = require('nozomi/extras');
const { z } = require('zod');

const params = z.object({ id: z.coerce.number().int() });
const query = z.object({ page: z.coerce.number().default(1) });
const response = z.object({ id: z.number(), page: z.number() });

const app = nozomi();
app.get('/users/:id', validate({ params, query, response }), (req, res) => {
  res.json({ id: req.params.id, page: req.query.page, internal: 'not sent' });
});
app.use((err, _req, res, _next) => res.status(err.status ?? 500).json({ error: err.message }));

app.listen(process.env.PORT ?? 3000);
