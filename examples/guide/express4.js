// docs/express4.md: an application of Express 4 with a router of Express 5, and one behaviour of 5 turned on early.
const express4 = require('nozomi/4');
const nozomi = require('nozomi');

const app = express4();
app.set('promises', 5); // step 4: error handlers receive a rejected promise
app.get('/files/*', (req, res) => res.send(req.params[0])); // a path of Express 4

const users = nozomi.Router(); // step 3: paths of Express 5
users.get('/{:id}', async (req, res) => res.json({ id: req.params.id ?? 'everybody' }));
app.use('/users', users);

app.get('/fails', async () => {
  throw new Error('rejected');
});
app.use((err, _req, res, _next) => res.status(500).send(err.message));

app.listen(process.env.PORT ?? 3000);
