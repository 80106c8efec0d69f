// A bare node:http server, to which all peers are compared. It writes the headers that Express writes, most as
// constants, and neither routes nor checks the request.
const { createReadStream, stat } = require('node:fs');
const { basename, join } = require('node:path');
const etag = require('etag');
const { listen } = require('./listen.cjs');

module.exports = function serve({ work, files, log }) {
  return listen(handlerOf(work, files, log), work);
};

function handlerOf(work, files, log) {
  if (work.status === 404) return notFound(work);
  if (work.program === 'static') return fileHandler(work, join(files, basename(work.target)));
  if (work.program === 'precompressed') return fileHandler(work, join(files, `${basename(work.target)}.br`));
  const respond = responder(work);
  const value = work.program === 'json' ? JSON.parse(work.answer) : undefined;
  switch (work.program) {
    case 'post-json':
      return (req, res) => readBody(req, JSON.parse, () => respond(res, work.answer));
    case 'post-form':
      return (req, res) =>
        readBody(
          req,
          (text) => new URLSearchParams(text),
          () => respond(res, work.answer),
        );
    case 'json':
      return (_req, res) => respond(res, JSON.stringify(value));
    case 'changing': {
      let count = 1_000_000;
      return (_req, res) => respond(res, `Hello ${count++}`);
    }
    case 'logged':
      return logged(log, respond, work.answer);
    default:
      return (_req, res) => respond(res, work.answer);
  }
}

function responder({ program, answer }) {
  const isJson = program === 'json' || program === 'params';
  const type = isJson ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8';
  const length = String(Buffer.byteLength(answer));
  const extra = program === 'headers' ? 12 : 0;
  const tag = program === 'no-etag' ? undefined : etag(answer, { weak: true });
  return (res, body) => {
    res.setHeader('X-Powered-By', 'Nozomi');
    for (let i = 1; i <= extra; i++) res.setHeader(`X-Field-${i}`, `value ${i}`);
    res.setHeader('Content-Type', type);
    res.setHeader('Content-Length', length);
    if (tag) res.setHeader('ETag', tag);
    res.end(body);
  };
}

/** Logs each finished response with the values of morgan's format `combined`, for workloads with other formats too. */
function logged(log, respond, answer) {
  return (req, res) => {
    res.on('finish', () => {
      const { headers, method, url, socket } = req;
      const length = res.getHeader('content-length');
      log.write(
        `${socket.remoteAddress} - - [${new Date().toISOString()}] "${method} ${url} HTTP/1.1" ${res.statusCode} ${length} "${headers.referer ?? '-'}" "${headers['user-agent'] ?? '-'}"\n`,
      );
    });
    respond(res, answer);
  };
}

function readBody(req, parse, done) {
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    parse(Buffer.concat(chunks).toString());
    done();
  });
}

/** Sends the 404 page of Express. */
function notFound({ method, target }) {
  const page = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Error</title>
</head>
<body>
<pre>Cannot ${method} ${target}</pre>
</body>
</html>
`;
  const length = String(Buffer.byteLength(page));
  return (_req, res) => {
    res.statusCode = 404;
    res.setHeader('X-Powered-By', 'Nozomi');
    res.setHeader('Content-Security-Policy', "default-src 'none'");
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Content-Type', 'text/html; charset=utf-8');
    res.setHeader('Content-Length', length);
    res.end(page);
  };
}

/** Calls `stat` for each request, as serve-static does, and streams the file. */
function fileHandler({ status }, path) {
  return (_req, res) => {
    stat(path, (_err, { size, mtime }) => {
      const [start, end] = status === 206 ? [1000, 1999] : [0, size - 1];
      res.statusCode = status;
      res.setHeader('X-Powered-By', 'Nozomi');
      res.setHeader('Accept-Ranges', 'bytes');
      res.setHeader('Cache-Control', 'public, max-age=0');
      res.setHeader('Last-Modified', mtime.toUTCString());
      res.setHeader('ETag', `W/"${size.toString(16)}-${mtime.getTime().toString(16)}"`);
      if (status === 304) return res.end();
      res.setHeader('Content-Type', 'text/plain; charset=utf-8');
      if (status === 206) res.setHeader('Content-Range', `bytes ${start}-${end}/${size}`);
      res.setHeader('Content-Length', String(end - start + 1));
      createReadStream(path, { start, end }).pipe(res);
    });
  };
}
