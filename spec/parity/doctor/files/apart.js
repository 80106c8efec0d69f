// No mistake: the folder .well-known is served by its own middleware.
const { join } = require('node:path');
const express = require('express');

const app = express();
app.use('/.well-known', express.static(join(__dirname, 'public', '.well-known')));
app.use(express.static(join(__dirname, 'public')));

module.exports = app;
