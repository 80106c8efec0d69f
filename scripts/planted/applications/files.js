// Static files, downloads, ranges, uploads and compression.
const { join } = require('node:path');
const express = require('express');
const compression = require('compression');
const multer = require('multer');
const { create, fork, has, listen } = require('./kit');

const folder = join(__dirname, 'public');
const app = create();
const upload = multer({ storage: multer.memoryStorage(), limits: { fileSize: 2000 } });
app.use('/private', (_req, res, next) => (has('login') ? res.sendStatus(403) : next()));
app.use(
  '/static',
  express.static(folder, {
    maxAge: fork('files that expire at once', '1h', 0),
    etag: fork('files without ETag', true, false),
    acceptRanges: fork('no ranges', true, false),
    setHeaders: (res) => res.set('X-Content-Type-Options', fork('sniffed types', 'nosniff', 'none')),
  }),
);
app.get('/private/report', (_req, res) =>
  res.download(join(folder, 'table.csv'), fork('another file name', 'report.csv', 'Report.csv')),
);
app.get('/raw', (_req, res) =>
  res.type('bin').send(Buffer.from(fork('one other byte', [0, 255, 254, 1, 128], [0, 255, 254, 2, 128]))),
);
app.get('/long', compression({ threshold: fork('no compression', 1000, 100_000) }), (_req, res) => {
  const lines = Array.from({ length: 200 }, (_, line) => `line ${line}`);
  if (fork('a line in a long text', false, true)) lines[150] = 'line 15O';
  res.type('text').send(lines.join('\n'));
});
app.post('/upload', upload.single('file'), (req, res) =>
  res.status(201).json({
    name: req.file.originalname,
    size: fork('another size', req.file.size, req.file.size + 1),
    note: req.body.note,
  }),
);
app.get('/moved', (_req, res) => res.redirect(fork('a lasting redirect', 307, 308), '/static/page.html'));
app.use((err, _req, res, _next) =>
  res.status(err.code === 'LIMIT_FILE_SIZE' ? fork('400 for 413', 413, 400) : 500).json({ error: err.code }),
);
listen(app);
