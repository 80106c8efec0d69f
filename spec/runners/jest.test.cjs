require('./suite.cjs')(test);
