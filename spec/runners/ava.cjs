const test = require('ava');

require('./suite.cjs')((title, run) =>
  test.serial(title, async (t) => {
    await run();
    t.pass();
  }),
);
