/**
 * Scenarios for multipart bodies and req.files in Express 3. Names of temporary files are random, so responses contain
 * only the form of the names. §9.3
 *
 * Express 3 prints a deprecation warning once per process and call site. Each scenario runs in its own process and
 * creates its parsers in one place, so that it prints exactly one warning.
 */
import { existsSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname } from 'node:path';
import type express3 from 'nozomi/3';
import { MULTIPART, multipartBody } from '../../parity/client/multipart';
import { get, post } from '../../parity/client/request';
import { type Express3, express3Scenario } from '../../parity/scenario/scenario';

interface File {
  path: string;
  size: number;
  name: string;
  originalFilename: string;
  fieldName: string;
  type: string | null;
  hash?: string;
  lastModifiedDate?: Date;
}

/** For each path: the options of bodyParser, and a function that selects what the response shows of the uploads. */
type Routes = Record<
  string,
  [Parameters<Express3['bodyParser']>[0], (files: Record<string, File>, body: unknown) => unknown]
>;

const TYPE = { 'Content-Type': MULTIPART };
const hello = { name: 'file', filename: 'hello.txt', type: 'text/plain', value: 'hello' };
const nothing = { name: 'file', filename: '', type: 'application/octet-stream', value: '' };
const user = { name: 'user[name]', value: 'tj' };
const upload = (path: string) => post(path, multipartBody(user, hello), TYPE);

const onError: express3.ErrorHandler = (err, _req, res, _next) => res.send(err.status, err.message);

function uploading(framework: Express3, routes: Routes) {
  const app = framework();
  // Express 3 adds the router at the first route, so middleware must be registered before the routes.
  for (const [path, [options]] of Object.entries(routes)) app.use(path, framework.bodyParser(options));
  for (const [path, [, show]] of Object.entries(routes)) {
    app.all(path, (req, res) => res.send({ shown: show(req.files as Record<string, File>, req.body) }));
  }
  app.use(onError);
  return app;
}

export default [
  express3Scenario({
    name: 'bodyParser puts fields in req.body and files in req.files, and stores files in uploadDir',
    clauses: ['34', '35', '36', '37', '38', '39', '40', '41', '44'].map((id) => `F-9.3-${id}`),
    alone: true,
    build: ({ framework, folder }) =>
      uploading(framework, {
        '/all': [
          { uploadDir: folder },
          (files, body) => [
            body,
            Object.entries(files ?? {}).map(([key, { path, size, name, type, ...names }]) => ({
              key,
              size,
              name,
              type,
              fieldName: names.fieldName,
              original: names.originalFilename,
              text: readFileSync(path, 'utf8'),
            })),
          ],
        ],
        '/hashed': [{ uploadDir: folder, hash: 'sha1' }, ({ file }) => file?.hash],
        '/kept': [
          { uploadDir: folder, keepExtensions: true },
          ({ file: { path } = {} as File }) => [extname(path), dirname(path) === folder, existsSync(path)],
        ],
        '/system': [
          {},
          ({ file: { path } = {} as File }) => {
            unlinkSync(path);
            return dirname(path) === tmpdir();
          },
        ],
      }),
    requests: [
      upload('/all'),
      post('/all', multipartBody({ name: 'a', value: '1' }, { name: 'a', value: 'é' }), TYPE),
      post('/all', multipartBody({ ...hello, filename: 'C:\\files\\ö.txt' }, { ...user, name: 'b' }), TYPE),
      post('/all', multipartBody(nothing), TYPE),
      post('/all', { a: 1 }),
      get('/all'),
      post('/all', 'nothing of a form', TYPE),
      post('/all', 'x', { 'Content-Type': 'multipart/form-data' }),
      post('/all', 'x', { 'Content-Type': 'multipart/mixed; boundary=x' }),
      upload('/hashed').expect({ json: { shown: 'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d' } }),
      upload('/kept').expect({ json: { shown: ['.txt', true, true] } }),
      upload('/system').expect({ json: { shown: true } }),
    ],
  }),
  express3Scenario({
    name: 'uploaded files have lastModifiedDate, and a path without their original extension',
    clauses: ['F-9.3-42', 'F-9.3-43'],
    alone: true,
    build: ({ framework, folder }) =>
      uploading(framework, {
        '/date': [
          { uploadDir: folder },
          ({ file: { path, lastModifiedDate } = {} as File }) =>
            Math.abs(Number(lastModifiedDate) - statSync(path).mtimeMs) < 60_000,
        ],
        '/extension': [{ uploadDir: folder }, ({ file }) => extname(file?.path as string)],
      }),
    requests: [
      upload('/date').expect({ json: { shown: true } }),
      upload('/extension').expect({ json: { shown: '' } }),
    ],
  }),
  express3Scenario({
    name: 'bodyParser rejects uploads that exceed a limit',
    clauses: ['F-9.3-34'],
    alone: true,
    build: ({ framework, folder }) =>
      uploading(framework, {
        '/': [
          { uploadDir: folder, limit: '2kb', maxFields: 2, maxFieldsSize: 5, maxFilesSize: 10 },
          (files, body) => [Object.keys(files), body],
        ],
      }),
    requests: [
      post('/', multipartBody({ name: 'a', value: '12345' }, hello), TYPE),
      post('/', multipartBody({ name: 'a', value: '123456' }), TYPE),
      post('/', multipartBody(...['a', 'b', 'c'].map((name) => ({ name, value: '' }))), TYPE),
      post('/', multipartBody({ ...hello, value: 'hello, hello' }), TYPE),
      post('/', multipartBody({ ...hello, value: 'x'.repeat(3000) }), TYPE),
    ],
  }),
  express3Scenario({
    name: 'bodyParser parses brackets in names of fields and files, and lists the files of one field',
    clauses: ['F-9.3-35', 'F-9.3-36'],
    alone: true,
    build: ({ framework, folder }) =>
      uploading(framework, {
        '/': [
          { uploadDir: folder },
          (files, body) => {
            const shown = Object(files.pictures).front ?? files.file;
            return [
              body,
              // Sorted, because Express 3 lists them in the order in which they were written.
              ([shown].flat() as File[])
                .sort((one, other) => one.name.localeCompare(other.name))
                .map(({ name, size, path }) => [
                  name,
                  size,
                  dirname(path) === folder,
                  readFileSync(path).toString('hex').slice(0, 8),
                ]),
            ];
          },
        ],
      }),
    requests: [
      post(
        '/',
        multipartBody(
          { name: 'pets[]', value: 'tobi' },
          { name: 'pets[]', value: 'loki' },
          { name: 'a', value: 'zwölf' },
          { ...hello, name: 'pictures[front]', filename: 'ö.png', value: Buffer.from([0, 255, 13, 10]) },
        ),
        TYPE,
      ).expect({
        json: { shown: [{ pets: ['tobi', 'loki'], a: 'zwölf' }, [['ö.png', 4, true, '00ff0d0a']]] },
      }),
      post(
        '/',
        multipartBody({ ...hello, filename: 'big.txt', value: 'x'.repeat(2000) }, hello),
        TYPE,
      ).expect({
        json: {
          shown: [
            {},
            [
              ['big.txt', 2000, true, '78787878'],
              ['hello.txt', 5, true, '68656c6c'],
            ],
          ],
        },
      }),
    ],
  }),
];
