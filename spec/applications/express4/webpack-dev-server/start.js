// Starts webpack-dev-server with one module, through its Node.js API.
const webpack = require('webpack');
const WebpackDevServer = require('webpack-dev-server');

const compiler = webpack({
  mode: 'development',
  devtool: false,
  context: process.cwd(),
  entry: './index.js',
});
const options = {
  hot: false,
  client: false,
  liveReload: false,
  historyApiFallback: true,
  headers: { 'X-Own': 'yes' },
  port: 3000,
  host: '127.0.0.1',
};
new WebpackDevServer(options, compiler).start();
