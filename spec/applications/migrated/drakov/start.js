const path = require('node:path');
const drakov = require('./package/');

drakov.run({
  sourceFiles: path.join(__dirname, 'api.md'),
  serverPort: 3000,
  discover: true,
  autoOptions: true,
});
