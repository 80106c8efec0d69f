/** The documentation that editors show for settings, members and options of this package. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript-5';
import { languageServiceOf, PROGRAM_FILE } from '../support/language-service';

const SOURCE = `
import framework, { type SettingsMap, Router } from 'nozomi';
declare const settings: SettingsMap;
settings['strict paths'];
settings['strict host'];
Router().listRoutes();
Router().param(() => undefined);
framework().enable('etag');
framework.logger;
framework.urlencoded({ depth: 1 });
framework.static('public');
framework().use((req, res) => [req.query, req.params, res.locals, req.body]);
framework().route('/');
`;

/** Calls, with the comment that an editor shows for each. */
const CALLS: ReadonlyArray<readonly [source: string, shown: RegExp]> = [
  ["app.get('/x', (req, res) => res.send(req.path))", /^Adds a route: /],
  ["app.get(['/x', /y/], (req, res) => res.send(req.path))", /^Adds a route: /],
  [
    "app.get('/x', [(err: Error, req: Request, res: Response, next: NextFunction) => next(err)])",
    /^Adds a route: /,
  ],
  ["app.get('etag')", /^Reads a setting\.$/],
  ["app.get('of the application')", /^Reads a setting of the application/],
  ["app.all('/x', (req, res) => res.send(req.path))", /^Adds handlers for a path: /],
  ["app.post('/x', (req, res) => res.send(req.params))", /^Adds handlers for a path: /],
  ["app.use('/x', (req, res) => res.send(req.path))", /^Adds middleware for a path and what is below it\./],
  ["router.all('/x', (req, res) => res.send(req.path))", /^Adds handlers for a path: /],
  ["router.get('/x/:id', (req, res) => res.send(req.params.id))", /^Adds handlers for a path: /],
  ['router.use((req, res) => res.send(req.path))', /^Adds handlers; as `use`, middleware/],
  [
    "router.use('/x', (req, res) => res.send(req.path))",
    /adds middleware for the path and what is below it\./,
  ],
  ["router.route('/x').get((req, res) => res.send(req.path))", /^Adds handlers/],
  ["app4.all('/x', (req, res) => res.send(req.path))", /^Adds handlers for a path\.$/],
  ['app4.use((req, res) => res.send(req.path))', /^Adds handlers/],
  ["app3.all('/x', (req, res) => res.send(req.path))", /^Adds a route: /],
  ['app3.use((req, res) => res.send(req.path))', /^Adds middleware\.$/],
  ["app4.get('/x', (req, res) => res.send(req.path))", /^Adds handlers for a path\.$/],
  ["app4.get('etag')", /^Reads a setting\.$/],
  ["app3.get('/x', (req, res) => res.send(req.path))", /^Adds a route: /],
  ["app3.get('etag')", /^Reads a setting\.$/],
];
const APPLICATIONS = `
import framework, { type NextFunction, type Request, type Response } from 'nozomi';
import framework3 from 'nozomi/3';
import framework4 from 'nozomi/4';
const [app, app3, app4] = [framework(), framework3(), framework4()];
const router = framework.Router();
`;

const DIST = join(__dirname, '..', '..', 'dist');

describe('an editor with the types of this package', () => {
  const service = languageServiceOf(SOURCE);

  const shown: ReadonlyArray<readonly [at: string, text: RegExp]> = [
    ["'strict paths'", /normal form/],
    ["'strict host'", /Host/],
    ['listRoutes', /routes and mounted routers/],
    ['param', /parameter callbacks/],
    ['enable', /to true/],
    ['logger', /request logger/],
    ['depth', /nested/],
    ['static', /files of a directory/],
    ['use((req', /^Adds middleware: /],
    ["route('/')", /^Returns a route/],
    ['params, res', /parameters of the path/],
    ['query, req', /query string/],
    ['locals', /later handlers and views/],
    ['body]', /parser/],
  ];
  for (const [at, text] of shown) {
    proves('F-4.1-01');
    it(`shows the documentation of ${at}`, () => {
      const info = service.getQuickInfoAtPosition(PROGRAM_FILE, SOURCE.indexOf(at) + 1);

      expect(ts.displayPartsToString(info?.documentation)).to.match(text);
    }).timeout(60_000);
  }

  proves('F-4.1-01');
  it('shows what a call does: adds a route or middleware, or reads a setting', () => {
    const source = APPLICATIONS + CALLS.map(([call]) => `${call};\n`).join('');
    const editor = languageServiceOf(source);
    expect(editor.getSemanticDiagnostics(PROGRAM_FILE).map(({ messageText }) => messageText)).to.deep.equal(
      [],
    );

    for (const [call, text] of CALLS) {
      const info = editor.getQuickInfoAtPosition(
        PROGRAM_FILE,
        source.indexOf(call) + call.search(/(?:all|get|post|use)\(/),
      );
      expect(ts.displayPartsToString(info?.documentation), call).to.match(text);
    }
  }).timeout(60_000);

  it('shows no section numbers of the specification, which the package does not contain', () => {
    // Editors do not show the first comment of a file.
    const comments = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.d\.m?ts$/.test(file) && !file.startsWith('parity'))
      .flatMap(
        (file) => readFileSync(join(DIST, file), 'utf8').match(/(?<=[\s\S])\/\*\*[\s\S]*?\*\//g) ?? [],
      );
    const cited = comments.map((comment) => comment.replace(/RFC \d+ §[\d.]+(?:, §[\d.]+)*/g, ''));

    expect(cited.length).to.be.above(100);
    expect(cited.filter((comment) => /§|\b(?:E4|[FL])-[\dA-Z]/.test(comment))).to.deep.equal([]);
  });
});
