// Starts the server of a request listener, for programs whose framework does not start one itself.
const http = require('node:http');
const http2 = require('node:http2');

/** @param work The workload: `server` says whether the server uses HTTP/2, and `tls` over TLS. */
exports.listen = function listen(listener, { server, tls }) {
  return serverOf(listener, server === 'http2', tls).listen(0, '127.0.0.1');
};

function serverOf(listener, isHttp2, tls) {
  if (!isHttp2) return http.createServer(listener);
  return tls ? http2.createSecureServer(tls, listener) : http2.createServer(listener);
}
