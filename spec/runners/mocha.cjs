require('./suite.cjs')(it);
