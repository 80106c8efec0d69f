const path = require('node:path');
const { createServer } = require('./package/');

createServer({ quiet: true, port: '3000', allowAvoidPreFlight: false })
  .setConfigFile(path.join(__dirname, 'config.json'))
  .start();
