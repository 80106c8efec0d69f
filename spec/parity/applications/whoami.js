// A factory whose application responds with the frameworks that it uses.
module.exports = async () => {
  const express = require('express');
  const imported = await import('express');
  const app = express();
  app.get('/', (_req, res) => res.json([require('express/package.json').name, imported.default === express]));
  return app;
};
