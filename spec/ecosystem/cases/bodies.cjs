// Packages that parse bodies: uploads, XML and other formats.
const { readFileSync } = require('node:fs');

const BOUNDARY = 'boundary42';
/** @returns The multipart body that a browser sends for a form with a field and files. */
function multipart(...files) {
  const part = (fields, content) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${fields}\r\n\r\n${content}\r\n`;
  const fileParts = files.map(([field, name, content]) =>
    part(`name="${field}"; filename="${name}"\r\nContent-Type: text/plain`, content),
  );
  const body = [part('name="title"', 'A ü title'), ...fileParts, `--${BOUNDARY}--\r\n`].join('');
  return {
    body,
    headers: {
      'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
      'Content-Length': Buffer.byteLength(body),
    },
  };
}
const FILE = ['file', 'a.txt', 'hello file'];
const xml = (body) => ({ body, headers: { 'Content-Type': 'application/xml' } });

module.exports = {
  multer: {
    shows: 'stores one or several files in memory, refuses too many files and a file that is too large',
    app() {
      const multer = require('multer');
      const upload = multer({ storage: multer.memoryStorage(), limits: { fileSize: 20 } });
      const app = require('express')();
      app.post('/one', upload.single('file'), ({ body, file }, res) =>
        res.json({ body, file: { ...file, buffer: String(file.buffer) } }),
      );
      app.post('/more', upload.array('file', 2), (req, res) =>
        res.json(req.files.map((file) => file.originalname)),
      );
      app.use((err, _req, res, _next) =>
        res.status(400).json([err.name, err.code, err.field ?? null, err.message]),
      );
      return app;
    },
    async play({ post }) {
      await post('/one', multipart(FILE));
      await post('/more', multipart(FILE, FILE));
      await post('/more', multipart(FILE, FILE, FILE));
      await post('/one', multipart(['file', 'big.txt', 'x'.repeat(21)]));
      await post('/one', multipart(['other', 'a.txt', 'x']));
    },
    statuses: [200, 200, 400, 400, 400],
  },
  'multer on disk': {
    shows: 'stores a file on disk, which res.sendFile sends',
    app({ tmp }) {
      const multer = require('multer');
      const storage = multer.diskStorage({
        destination: tmp,
        filename: (_req, file, done) => done(null, `kept-${file.originalname}`),
      });
      const app = require('express')();
      app.post('/', multer({ storage }).single('file'), (req, res) =>
        res.sendFile(req.file.path, { lastModified: false }),
      );
      return app;
    },
    async play({ post }) {
      await post('/', multipart(FILE));
    },
    statuses: [200],
    mask: [/W\/"[^"]+"/g],
  },
  busboy: {
    shows: 'reads a form as a stream',
    app() {
      const app = require('express')();
      app.post('/', (req, res) => {
        const seen = [];
        const reader = require('busboy')({ headers: req.headers });
        reader.on('field', (name, value) => seen.push([name, value]));
        reader.on('file', async (name, stream, info) =>
          seen.push([name, info.filename, (await stream.toArray()).join('')]),
        );
        reader.on('close', () => setImmediate(() => res.json(seen)));
        req.pipe(reader);
      });
      return app;
    },
    async play({ post }) {
      await post('/', multipart(FILE));
    },
    statuses: [200],
  },
  'connect-busboy': {
    shows: 'sets req.busboy',
    app() {
      const app = require('express')();
      app.use(require('connect-busboy')({ immediate: false }));
      app.post('/', (req, res) => {
        const seen = {};
        req.busboy
          .on('field', (name, value) => (seen[name] = value))
          .on('file', (_name, file) => file.resume())
          .on('close', () => res.json(seen));
        req.pipe(req.busboy);
      });
      return app;
    },
    async play({ post }) {
      await post('/', multipart(FILE));
    },
    statuses: [200],
  },
  formidable: {
    shows: 'parses a form and stores its files in a directory',
    async app({ tmp }) {
      const { default: formidable } = await import('formidable');
      const app = require('express')();
      app.post('/', async (req, res) => {
        const [fields, { file }] = await formidable({ uploadDir: tmp }).parse(req);
        res.json([fields, file[0].originalFilename, file[0].size, readFileSync(file[0].filepath, 'utf8')]);
      });
      return app;
    },
    async play({ post }) {
      await post('/', multipart(FILE));
      await post('/', { json: { no: 'form' } });
    },
    statuses: [200, 500],
  },
  multiparty: {
    shows: 'parses a form into fields and files',
    app({ tmp }) {
      const app = require('express')();
      app.post('/', (req, res, next) =>
        new (require('multiparty').Form)({ uploadDir: tmp }).parse(req, (err, fields, files) =>
          err ? next(err) : res.json([fields, files.file[0].originalFilename, files.file[0].size]),
        ),
      );
      return app;
    },
    async play({ post }) {
      await post('/', multipart(FILE));
      await post('/', { body: 'nonsense', headers: { 'Content-Type': 'text/plain' } });
    },
    statuses: [200, 415],
  },
  'express-fileupload': {
    shows: 'sets req.files, moves a file',
    app({ tmp }) {
      const app = require('express')();
      app.use(require('express-fileupload')({ limits: { fileSize: 20 }, abortOnLimit: true }));
      app.post('/', async ({ body, files }, res) => {
        await files.file.mv(`${tmp}/moved`);
        res.json([body, files.file.name, files.file.md5, readFileSync(`${tmp}/moved`, 'utf8')]);
      });
      return app;
    },
    async play({ post }) {
      await post('/', multipart(FILE));
      await post('/', multipart(['file', 'big.txt', 'x'.repeat(21)]));
    },
    statuses: [200, 413],
  },
  'body-parser': {
    shows: 'parses JSON, text, bytes and forms; its errors reach the error handler',
    app() {
      const parse = require('body-parser');
      const app = require('express')();
      const echo = (req, res) =>
        res.json(Buffer.isBuffer(req.body) ? req.body.toString('hex') : (req.body ?? null));
      app.post(
        '/json',
        parse.json({ limit: 20, verify: (req, _res, bytes) => (req.rawLength = bytes.length) }),
        echo,
      );
      app.post('/text', parse.text(), echo);
      app.post('/raw', parse.raw({ type: '*/*' }), echo);
      app.post('/form', parse.urlencoded({ extended: true }), echo);
      app.use((err, req, res, _next) =>
        res.status(err.status).json([err.type, err.message, req.rawLength ?? null]),
      );
      return app;
    },
    async play({ post }) {
      await post('/json', { json: { a: 1 } });
      await post('/json', { body: '{bad', headers: { 'Content-Type': 'application/json' } });
      await post('/json', { json: { long: 'x'.repeat(20) } });
      await post('/text', { body: 'text', headers: { 'Content-Type': 'text/plain' } });
      await post('/raw', { body: Buffer.from([1, 2, 255]) });
      await post('/form', { form: { 'a[b]': 'c' } });
    },
    statuses: [200, 400, 413, 200, 200, 200],
  },
  'body-parser-xml': {
    shows: 'adds xml to body-parser',
    uses: ['body-parser'],
    app() {
      const parse = require('body-parser');
      require('body-parser-xml')(parse);
      const app = require('express')();
      app.post('/', parse.xml({ xmlParseOptions: { explicitArray: false } }), (req, res) =>
        res.json(req.body),
      );
      return app;
    },
    async play({ post }) {
      await post('/', xml('<a b="c">d</a>'));
      await post('/', xml('<a'));
    },
    statuses: [200, 400],
  },
  'express-xml-bodyparser': {
    shows: 'parses XML bodies into objects',
    app() {
      const app = require('express')();
      app.post('/', require('express-xml-bodyparser')(), (req, res) => res.json([req.body, req.rawBody]));
      return app;
    },
    async play({ post }) {
      await post('/', xml('<A><B>c</B></A>'));
      await post('/', xml('<A'));
    },
    statuses: [200, 400],
  },
  '@tus/server': {
    shows: 'accepts an upload in two parts, reports its offset, completes it',
    uses: ['@tus/file-store'],
    async app({ tmp }) {
      const { Server } = await import('@tus/server');
      const { FileStore } = await import('@tus/file-store');
      const tus = new Server({
        path: '/files',
        datastore: new FileStore({ directory: tmp }),
        namingFunction: () => 'one',
        respectForwardedHeaders: false,
      });
      const app = require('express')();
      return app.use('/files', tus.handle.bind(tus)).all('/files/*path', tus.handle.bind(tus));
    },
    async play({ request, tmp, note }) {
      const headers = { 'Tus-Resumable': '1.0.0' };
      const part = (offset, body) =>
        request('PATCH', '/files/one', {
          body,
          headers: { ...headers, 'Upload-Offset': offset, 'Content-Type': 'application/offset+octet-stream' },
        });
      await request('OPTIONS', '/files');
      await request('POST', '/files', { headers: { ...headers, 'Upload-Length': 6 } });
      await part(0, 'abc');
      await request('HEAD', '/files/one', { headers });
      await part(0, 'abc');
      await part(3, 'def');
      note('kept', readFileSync(`${tmp}/one`, 'utf8'));
    },
    statuses: [204, 201, 204, 200, 409, 204],
  },
};
