// What the applications of the bench share: their planted changes, and the accidents that no run may call equal.
const express = require('express');

/** Returns another value if this change is planted. Only the candidate of the bench has it. */
exports.fork = (name, usual, changed) => (express.planted === name ? changed : usual);

/** Whether the application has this accident, with both implementations. */
exports.has = (accident) => process.env.ACCIDENT === accident;

/** Creates an application that has its accident with its third request. */
exports.create = () => {
  const app = express();
  let count = 0;
  app.use((req, res, next) => {
    count++;
    if (exports.has('busy') && count >= 3) return res.status(503).json({ error: 'the database is busy' });
    if (exports.has('crash') && count === 3) process.exit(1);
    if (exports.has('throw') && count === 3)
      setImmediate(() => {
        throw new Error('lost connection');
      });
    else if (exports.has('drop') && count === 3) req.socket.destroy();
    else next();
  });
  return app;
};

/** Starts an application; with the accident `port`, another one in its place. */
exports.listen = (app) => {
  const port = process.env.PORT ?? 3000;
  if (!exports.has('port')) return app.listen(port);
  return express()
    .get('/health', (_req, res) => res.send('ok'))
    .listen(port);
};
