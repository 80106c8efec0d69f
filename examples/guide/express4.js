// The example of docs/express4.md: an application of Express 4 with a router of Express 5. It turns on one behaviour of
// Express 5 early.
const express4 = require('nozomi/4');
const nozomi = require('nozomi');

const app = express4();
app.set('promises', 5); // step 4 of docs/express4.md: error handlers receive rejected promises
app.get('/files/*', (req, res) => res.send(req.params[0])); // the path syntax of Express 4

const users = nozomi.Router(); // step 3 of docs/express4.md: a router with the path syntax of Express 5
users.get('/{:id}', async (req, res) => res.json({ id: req.params.id ?? 'everybody' }));
app.use('/users', users);

app.get('/fails', async () => {
  throw new Error('rejected');
});
app.use((err, _req, res, _next) => res.status(500).send(err.message));

app.listen(process.env.PORT ?? 3000);
