// An application that replaces `close` of its server by a function that returns a promise, as Appium does.
const express = require('express');

const server = express()
  .get('/', (_req, res) => res.send('closes itself'))
  .listen(3000);
const close = server.close.bind(server);
server.close = () => new Promise((resolve) => close(resolve));
