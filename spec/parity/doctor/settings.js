// Mistakes: it trusts proxies of the public internet, and sends a session cookie over plain HTTP.
const express = require('express');
const session = require('express-session');

const app = express();
app.set('trust proxy', ['loopback', '8.8.8.8', '128.0.0.0/1']);
app.use(session({ secret: 'planted', resave: false, saveUninitialized: false }));
app.get('/', (_req, res) => res.send('home'));

module.exports = app;
