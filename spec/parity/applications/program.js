// Listens after 5 ms, and only as the main module. It sets a session cookie with a random value, and parses bodies.
const express = require('express');
const logger = require('morgan');

const app = express();
app.use(logger('tiny'));
app.get('/session', (_req, res) => res.cookie('id', Math.random().toString(36).slice(2)).send('welcome'));
app.get('/inside', (req, res) => res.send(req.get('Cookie') === undefined ? 'who?' : 'come in'));
app.post('/echo', express.json(), (req, res) => res.status(201).json(req.body));
app.post('/form', express.urlencoded(), (req, res) => res.json(req.body));
app.get('/main', (_req, res) => res.send(String(require.main === module)));
if (require.main === module) setTimeout(() => app.listen(3000, () => console.log('listening')), 5);
