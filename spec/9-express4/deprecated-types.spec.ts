/** The types of nozomi/4 mark as deprecated what Express 5 removed or changed, and name the replacement. */
import { expect } from 'chai';
import ts from 'typescript-5';
import { languageServiceOf, PROGRAM_FILE } from '../support/language-service';

const HEAD = `
import express from 'nozomi/4';
declare const app: express.Application, router: express.Router, req: express.Request, res: express.Response;
declare const handler: express.RequestHandler;
declare const factory: (name: string, pattern: RegExp) => express.RequestParamHandler;
`;

/** Calls of Express 4 that Express 5 removed or changed, with the replacement that their documentation names. */
const REMOVED: ReadonlyArray<readonly [form: string, instead: string]> = [
  ["app.del('/', handler)", 'app.delete(path, handler)'],
  ['app.param(factory)', 'app.param(name, callback)'],
  ["app.param('id', /x/)", 'app.param(name, callback)'],
  ['router.param(factory)', 'app.param(name, callback)'],
  ["req.param('id')", 'req.params[name]'],
  ['req.host', 'req.hostname'],
  ["req.acceptsCharset('utf-8')", 'req.acceptsCharsets(charset)'],
  ["req.acceptsEncoding('gzip')", 'req.acceptsEncodings(encoding)'],
  ["req.acceptsLanguage('en')", 'req.acceptsLanguages(language)'],
  ['res.send(404)', 'res.sendStatus(status)'],
  ["res.send(500, 'text')", 'res.status(status).send(body)'],
  ["res.send('text', 500)", 'res.status(status).send(body)'],
  ['res.json(500, {})', 'res.status(status).send(body)'],
  ['res.jsonp(500, {})', 'res.status(status).send(body)'],
  ["res.redirect('/', 301)", 'res.redirect(status, url)'],
  ["res.sendfile('a')", 'res.sendFile(path, callback)'],
  ["res.sendfile('a', { hidden: true })", 'res.sendFile(path, options, callback)'],
  ['res.vary()', 'Pass the name of a header'],
  ['express.query()', "app.set('query parser', parser)"],
  ['express.static.mime', 'res.type()'],
];

/** Calls that Express 5 has too. */
const KEPT: readonly string[] = [
  "app.delete('/', handler)",
  "app.param('id', (_req, _res, next) => next())",
  'req.hostname',
  "req.acceptsCharsets('utf-8')",
  "res.send('text')",
  'res.send(req.body)',
  'res.json(req.body)',
  'res.json({})',
  'res.jsonp({})',
  "res.redirect('/')",
  "res.redirect(301, '/')",
  "res.sendFile('/a')",
  "res.vary('Accept')",
  "express.static('.')",
];

const SOURCE = `${HEAD}${[...REMOVED.map(([form]) => form), ...KEPT].join(';\n')};\n`;

describe('the types of nozomi/4', () => {
  const service = languageServiceOf(SOURCE);

  it('accept calls that Express 5 removed, changed or kept', () => {
    const errors = service.getSemanticDiagnostics(PROGRAM_FILE).map(({ messageText }) => messageText);

    expect(errors).to.deep.equal([]);
  }).timeout(60_000);

  for (const [form, instead] of REMOVED) {
    it(`mark ${form} as deprecated, with the replacement ${instead}`, () => {
      const [marked] = deprecationsIn(form);
      const info = service.getQuickInfoAtPosition(PROGRAM_FILE, marked?.start ?? 0);
      const tag = info?.tags?.find(({ name }) => name === 'deprecated');

      expect(ts.displayPartsToString(tag?.text)).to.include(instead);
    });
  }

  for (const form of KEPT) {
    it(`do not mark ${form}`, () => {
      expect(deprecationsIn(form)).to.deep.equal([]);
    });
  }

  function deprecationsIn(form: string): ts.DiagnosticWithLocation[] {
    const start = SOURCE.indexOf(`\n${form};`) + 1;
    return service
      .getSuggestionDiagnostics(PROGRAM_FILE)
      .filter((one) => one.reportsDeprecated && one.start >= start && one.start < start + form.length);
  }
});
