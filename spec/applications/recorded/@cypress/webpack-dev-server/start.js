const { EventEmitter } = require('node:events');
const { resolve } = require('node:path');
const { devServer } = require('@cypress/webpack-dev-server');

devServer({
  specs: [{ name: 'one.cy.js', relative: 'src/one.cy.js', absolute: resolve('src/one.cy.js') }],
  cypressConfig: {
    projectRoot: __dirname,
    supportFile: resolve('support.js'),
    indexHtmlFile: resolve('component-index.html'),
    devServerPublicPathRoute: '/__cypress/src',
    isTextTerminal: true,
  },
  webpackConfig: { mode: 'development', devServer: { port: process.env.PORT, static: 'public' } },
  devServerEvents: new EventEmitter(),
});
