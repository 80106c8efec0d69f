// Exports an application, and listens later, as after a connection to a database.
const { setTimeout: pause } = require('node:timers/promises');
const express = require('express');

const app = express();
async function start() {
  await pause(300);
  app.get('/', (_req, res) => res.send('the database is there'));
  app.listen(3000);
}
start();
module.exports = app;
