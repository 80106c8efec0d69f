// Responds with characters that a terminal interprets, and with a line that GitHub Actions executes.
const express = require('express');

const app = express();
app.use((_req, res) => {
  console.log('\u001b[2Jlogged\n::error::logged');
  res.send('\u001b]0;title\u0007 \u202e\n::error::forged');
});

module.exports = app;
