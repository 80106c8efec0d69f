// Counts visitors in the file that its first argument names.
const fs = require('node:fs');
const express = require('express');

const [, , file] = process.argv;
const app = express();
app.get('/', (_req, res) => {
  const count = Number(fs.readFileSync(file, 'utf8')) + 1;
  fs.writeFileSync(file, `${count}\n`);
  res.json({ count });
});
app.listen(3000);
