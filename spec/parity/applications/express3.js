// An application of Express 3.
const os = require('node:os');

Object.assign(os, { tmpDir: os.tmpdir });
const express = require('express3');

const app = express();
app.get('/', (_req, res) => res.send('three'));

module.exports = app;
