import { expect } from 'chai';
import { cpuOf } from '../support/cost';
import { type App, askBoth, lightRequest, type Request } from '../support/light';
import { HOSTILE } from './hostile-requests';

/** Reads of properties and calls of methods that depend on the target or headers of a request, by name. */
const QUESTIONS: Readonly<Record<string, (req: Request) => unknown>> = {
  ...Object.fromEntries(
    (
      [
        'ip',
        'ips',
        'protocol',
        'secure',
        'host',
        'hostname',
        'subdomains',
        'path',
        'query',
        'fresh',
        'xhr',
      ] as const
    ).map((name) => [name, (req: Request) => req[name]]),
  ),
  accepts: (req) => [req.accepts(), req.accepts('html', 'json')],
  acceptsCharsets: (req) => [req.acceptsCharsets(), req.acceptsCharsets('utf-8')],
  acceptsEncodings: (req) => [req.acceptsEncodings(), req.acceptsEncodings('gzip', 'identity')],
  acceptsLanguages: (req) => [req.acceptsLanguages(), req.acceptsLanguages('en')],
  is: (req) => [req.is('html'), req.is('*/*')],
  range: (req) => [req.range(1000), req.range(1000, { combine: true })],
};

describe('req and its members for hostile requests', () => {
  for (const [name, { target = '/', headers = {} }] of Object.entries(HOSTILE)) {
    proves('F-2.6-01 F-4.4-15');
    it(`${name}: each member returns or throws as in Express, in linear time`, () => {
      const { ours, theirs } = askBoth((app) => askEverything(app, target, headers));

      expect(ours.responses).to.deep.equal(theirs.responses);
      expect(ours.cost).to.be.below(1000);
      expect({}).not.to.have.property('polluted');
    });
  }
});

function askEverything(app: App, url: string, headers: Readonly<Record<string, string>>) {
  const responses: unknown[] = [];
  const cost = cpuOf(() => {
    for (const trusted of [false, true]) {
      for (const parser of ['simple', 'extended']) {
        const req = lightRequest(app.set('trust proxy', trusted).set('query parser', parser), {
          url,
          headers,
        });
        responses.push(Object.entries(QUESTIONS).map(([name, ask]) => [name, attempt(() => ask(req))]));
      }
    }
  });
  return { responses, cost };
}

function attempt(ask: () => unknown): unknown {
  try {
    return ask();
  } catch (err) {
    return String(err);
  }
}
