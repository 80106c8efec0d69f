// Responds with random values from Math.random, node:crypto and Web Crypto.
const crypto = require('node:crypto');
const express = require('express');

const app = express();
app.get('/', async (_req, res) => {
  const bytes = await new Promise((resolve, reject) => {
    crypto.randomBytes(4, (error, drawn) => (error ? reject(error) : resolve(drawn)));
  });
  res.json([
    Math.random(),
    crypto.randomUUID(),
    globalThis.crypto.randomUUID(),
    crypto.randomBytes(8).toString('hex'),
    bytes.toString('hex'),
    crypto.randomInt(1000),
    crypto.randomFillSync(Buffer.alloc(8), 4).toString('hex'),
    [...crypto.getRandomValues(new Uint16Array(2))],
  ]);
});

module.exports = app;
