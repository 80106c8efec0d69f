// Runs an application with `nozomi-parity/recorder`, or without it.
const { join } = require('node:path');

const PATHS = 4000;

/**
 * @param loads The paths of the framework and, to record, of the recorder.
 * @param files The directory for the recording.
 */
module.exports = function serve({ loads: [framework, recorder] }, { work, files }) {
  const express = require(framework);
  const app = express();
  let count = 0;
  if (work.program === '4000 paths')
    app.use((req, _res, next) => {
      req.url = `/orders/${(count++ % PATHS).toString(36)}x`;
      next();
    });
  if (recorder) app.use(require(recorder).recorder({ file: join(files, `${process.pid}.har`) }));
  app.use(express.json());
  app.post('/orders/:order', (req, res) => {
    res.json({ order: 'one', lines: [req.body], at: 1767225600 });
  });
  return app.listen(0, '127.0.0.1');
};
