// Listens with HTTPS; with the argument http2 also with HTTP/2; with only-http2 without HTTP/1.1.
const { readFileSync } = require('node:fs');
const { createServer } = require('node:https');
const { createSecureServer } = require('node:http2');
const { join } = require('node:path');
const express = require('express');

const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(__dirname, 'secure', name)));
const app = express();
app.get('/', (req, res) =>
  res.json({ protocol: req.protocol, secure: req.secure, version: req.httpVersion }),
);
const kind = process.argv[2] ?? '';
const server = kind.endsWith('http2')
  ? createSecureServer({ key, cert, allowHTTP1: kind === 'http2' }, app)
  : createServer({ key, cert }, app);
server.listen(443);
