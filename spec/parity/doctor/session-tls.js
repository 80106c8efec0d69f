// Mistake: a session cookie without secure, on a server with TLS.
const { readFileSync } = require('node:fs');
const { createServer } = require('node:https');
const { join } = require('node:path');
const express = require('express');
const session = require('express-session');

const app = express();
app.use(session({ secret: 'planted', resave: false, saveUninitialized: false }));
app.get('/', (_req, res) => res.send('home'));

const folder = join(__dirname, '..', 'applications', 'secure');
const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(folder, name)));
module.exports = createServer({ key, cert }, app);
