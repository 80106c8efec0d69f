// Starts a process that keeps the pipes of the application open for a minute.
const { spawn } = require('node:child_process');
const express = require('express');

spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'inherit' });
express()
  .get('/', (_req, res) => res.send('/'))
  .listen(3000);
