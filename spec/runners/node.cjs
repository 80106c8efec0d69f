require('./suite.cjs')(require('node:test').test);
