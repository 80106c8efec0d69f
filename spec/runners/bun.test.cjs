require('./suite.cjs')(require('bun:test').test);
