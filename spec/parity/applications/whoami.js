// Exports a function that creates an application. It responds with the framework that require and import load.
module.exports = async () => {
  const express = require('express');
  const imported = await import('express');
  const app = express();
  app.get('/', (_req, res) => res.json([require('express/package.json').name, imported.default === express]));
  return app;
};
