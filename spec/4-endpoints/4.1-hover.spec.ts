/** The documentation that editors show for settings, members and options of this package. */
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
`;

describe('an editor with the types of this package (§4.1)', () => {
  const service = languageServiceOf(SOURCE);

  const shown: ReadonlyArray<readonly [at: string, text: RegExp]> = [
    ["'strict paths'", /normal form/],
    ["'strict host'", /Host/],
    ['listRoutes', /routes and mounted routers/],
    ['param', /parameter callbacks/],
    ['enable', /to true/],
    ['logger', /request logger/],
    ['depth', /nested/],
  ];
  for (const [at, text] of shown) {
    it(`shows the documentation of ${at} [F-4.1-01]`, () => {
      const info = service.getQuickInfoAtPosition(PROGRAM_FILE, SOURCE.indexOf(at) + 1);

      expect(ts.displayPartsToString(info?.documentation)).to.match(text);
    }).timeout(60_000);
  }
});
