// The example of docs/express3.md: an application of Express 3 that mounts an application of Express 5 on /api.
const express3 = require('nozomi/3');
const nozomi = require('nozomi');

const api = nozomi();
api.get('/users/:id', async (req, res) => res.json({ id: req.params.id }));

const app = express3();
app.configure(() => {
  app.use(express3.responseTime());
});
app.use('/api', api);
app.get('/old/:id?', (req, res) => res.send(200, `old ${req.param('id') ?? 'index'}`));

app.listen(process.env.PORT ?? 3000);
