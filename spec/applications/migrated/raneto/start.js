const path = require('node:path');
const raneto = require('./package/app');

const root = path.join(__dirname, 'package');
const config = {
  ...require('./package/example/config.default.js'),
  content_dir: path.join(root, 'example', 'content'),
  public_dir: path.join(root, 'themes', 'default', 'public'),
};
process.env.PORT = '3000';
raneto({ ...config, allow_editing: true, authentication: true, datetime_format: 'YYYY' }).listen(3000);
