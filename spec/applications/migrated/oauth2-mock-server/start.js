const { OAuth2Server } = require('./package/');

const server = new OAuth2Server();
server.issuer.keys
  .generate('RS256')
  .then(() => server.start(3000, 'localhost'))
  .then(() => {
    server.issuer.url = 'http://localhost:3000';
  });
