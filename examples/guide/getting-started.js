// The example of docs/getting-started.md: an application with a router, a body parser and a logger.
const framework = require('nozomi');
const logger = require('nozomi/logger');

const app = framework();
app.use(logger('dev'));
app.use(framework.json());

const users = framework.Router();
users.get('/:id', (req, res) => res.json({ id: req.params.id }));
users.post('/', (req, res) => res.status(201).json(req.body));
app.use('/users', users);

app.listen(process.env.PORT ?? 3000);
