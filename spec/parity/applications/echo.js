// Responds with the headers, the query and the body of the request, and logs them. Each response has the name of the
// framework, so that all responses differ from those of another framework.
const express = require('express');

const app = express();
app.use((req, res) => {
  const { name } = require('express/package.json');
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    const body = Buffer.concat(chunks);
    const shown = Object.entries(req.headers).filter(([header]) =>
      /^(x-|authorization|cookie|link)/.test(header),
    );
    for (const [header, value] of shown) res.set(header, `${name} ${value}`);
    console.log(`${name} ${req.method} ${req.url} ${JSON.stringify(req.headers)}`, { headers: req.headers });
    const { 'content-encoding': encoding, 'content-type': type = '' } = req.headers;
    if (!encoding && !/octet|utf-16/.test(type)) console.log(body.toString());
    res.set('Location', `/next${req.url}`).cookie('sid', `${name}${req.url}`, { httpOnly: true });
    for (const header of ['content-type', 'content-encoding'])
      if (req.headers[header]) res.set(header, req.headers[header]);
    res.set('X-Framework', name).send(body.length > 0 ? body : `${name} ${req.originalUrl}`);
  });
});

module.exports = app;
