import framework, { Router } from 'nozomi';
import logger from 'nozomi/logger';

const app = framework();
app.use(logger('dev'));
app.use(framework.json());
app.get('/', (req, res) => res.send('Hello World!'));

const users = Router();
users.get('/:id', (req, res) => res.json({ id: req.params.id })); // TypeScript knows that id is a string
users.post('/', (req, res) => res.status(201).json(req.body));
app.use('/users', users);

app.listen(process.env.PORT ?? 3000);
