const path = require('node:path');
const { bootstrap } = require('./package/');

bootstrap({ configDir: path.join(__dirname, 'services'), port: 3000, quiet: true });
