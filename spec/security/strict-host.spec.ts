import { createServer } from 'node:http';
import { expect } from 'chai';
import express from 'express';
import { array, assert, constantFrom, property } from 'fast-check';
import framework from 'nozomi';
import { playSteps } from '../../parity/client/exchange';
import { raw } from '../../parity/client/request';
import type { Framework } from '../support/both';
import { inside } from '../support/inside';
import { PATIENCE } from '../support/play';
import { serving } from '../support/serve';
import { attack, bodyOf } from './advisories/play';

const { isAuthority } = inside<typeof import('../../src/http/authority')>('http/authority');

const nozomi = framework as unknown as Framework;

// biome-ignore format: a table
const LIES = [
  'evil.com:fake@legit.com', 'user@legit.com', 'evil.com:80:90', 'evil.com:port', 'a b', 'a/b',
  'a?b', 'a#b', 'a\\b', 'a..b', '..', '.', ':80', '[::1', '[::1]x', '[evil.com]', '::1', 'a,b',
  'a:123456', '%61', 'a"b', '<a>', '[::1]:80@x', 'a:b:c', '[', ']', ':', '@', 'a, b', '[::1]/evil', '[::1]#',
  '[::1?x]', '[a\\b]', '[]', '[::1]x:1',
];
const NAMES = [
  'legit.com',
  'legit.com:8080',
  'legit.com.',
  'LEGIT',
  'a_b',
  '127.0.0.1:1',
  '[::1]',
  '[::1]:80',
  'xn--a-0ja.b',
  'a:',
];

const asHeader = (host: string): string => `Host: ${host}`;

describe('the setting strict host', () => {
  proves('CVE-2026-27959 CVE-2026-62595 F-2.6-15');
  it('by default lets a Host with a user part change req.hostname, as in Express', async () => {
    const [first] = await attack(
      (implementation) =>
        implementation().get('/', (req, res) => void res.json([req.host, req.hostname, req.subdomains])),
      ...LIES.map((host) => raw(`GET / HTTP/1.1\r\n${asHeader(host)}\r\nConnection: close\r\n\r\n`)),
    );

    expect(JSON.parse(bodyOf(first))[1]).to.equal('evil.com');
  });

  proves('CVE-2026-27959 CVE-2026-62595');
  it('if enabled, responds 400 to a Host that is not one name with at most a port', async () => {
    const app = nozomi().set('env', 'test').enable('strict host');

    expect(await hostnamesOf(app, LIES.map(asHeader))).to.deep.equal(LIES.map(() => 400));
  });

  it('if enabled, accepts every valid name with a port, with the same req.hostname', async () => {
    const headers = NAMES.map(asHeader);

    expect(await hostnamesOf(nozomi().enable('strict host'), headers)).to.deep.equal(
      await hostnamesOf(express(), headers),
    );
  });

  it('if enabled, responds 400 to two Host headers, and to another host in the request target', async () => {
    const app = nozomi().set('env', 'test').enable('strict host');

    expect(await hostnamesOf(app, ['Host: a\r\nHost: b'])).to.deep.equal([400]);
    expect(await hostnamesOf(app, ['Host: a'], 'http://b/')).to.deep.equal([400]);
    expect(await hostnamesOf(app, ['Host: a:80'], 'http://A:80/')).to.deep.equal(['a']);
  });

  it('if enabled, accepts an HTTP/1.0 request without a host', async () => {
    const app = nozomi().enable('strict host');

    expect(await hostnamesOf(app, ['X: y'], '/', '1.0')).to.deep.equal(['undefined']);
  });

  proves('F-2.3-23 F-2.3-24');
  it('if enabled, checks X-Forwarded-Host only if the peer is trusted', async () => {
    const lie = ['Host: legit.com\r\nX-Forwarded-Host: evil.com:fake@legit.com'];
    const app = (trust: boolean) =>
      nozomi().set('env', 'test').enable('strict host').set('trust proxy', trust);

    expect(await hostnamesOf(app(false), lie)).to.deep.equal(['legit.com']);
    expect(await hostnamesOf(app(true), lie)).to.deep.equal([400]);
    expect(await hostnamesOf(app(true), ['Host: a\r\nX-Forwarded-Host: b:1, c'])).to.deep.equal(['b']);
  });

  it('if enabled with strict paths, checks host and path of a request target in absolute form', async () => {
    const app = nozomi().set('env', 'test').enable('strict host').enable('strict paths');

    expect(await hostnamesOf(app, ['Host: a'], 'http://b/')).to.deep.equal([400]);
    expect(await hostnamesOf(app, ['Host: a'], 'http://a//')).to.deep.equal([400]);
    expect(await hostnamesOf(app, ['Host: a'], 'http://a/')).to.deep.equal(['a']);
  });

  it('cannot be set to an unknown value, and keeps its value', () => {
    const app = framework().enable('strict host');
    expect(() => app.set('strict host', 'legit.com' as string)).to.throw(
      TypeError,
      'unknown value for strict host',
    );
    expect(app.get('strict host')).to.equal(true);
    expect(framework().disable('strict host').get('strict host fn')).to.equal(undefined);
  });

  it('if enabled, accepts only hosts that the WHATWG URL parser reads in the same way', () => {
    const pieces = constantFrom(
      'a',
      'Z',
      '0',
      '-',
      '_',
      '.',
      ':',
      '@',
      '[',
      ']',
      '/',
      '\\',
      '%41',
      '8',
      '::',
      '1',
    );
    assert(
      property(array(pieces, { maxLength: 8 }), (list) => {
        const text = list.join('');
        if (!isAuthority(text)) return;
        // Names that begin with digits are skipped: the WHATWG URL parser reads some as IPv4 addresses.
        const url = URL.canParse(`http://${text}/x`) ? new URL(`http://${text}/x`) : undefined;
        if (!url || /^\d/.test(url.hostname)) return;
        expect(url.pathname + url.username + url.password).to.equal('/x');
        expect(url.hostname).to.be.oneOf([
          text.toLowerCase().replace(/:\d*$/, ''),
          url.hostname.match(/^\[.*\]$/)?.[0],
        ]);
      }),
    );
  });
});

/** @returns `req.hostname` for a request with each of these header lines, or the status of an error. */
async function hostnamesOf(
  app: ReturnType<Framework>,
  headers: readonly string[],
  target = '/',
  version = '1.1',
) {
  app.use((req, res) => void res.send(`${req.hostname}`));
  return serving(createServer(app), async (port) => {
    const steps = headers.map((header) =>
      raw(`GET ${target} HTTP/${version}\r\n${header}\r\nConnection: close\r\n\r\n`),
    );
    const exchanges = await playSteps(steps, { port, patience: PATIENCE });
    return exchanges.map(({ response }) => (response.status === 200 ? `${response.body}` : response.status));
  });
}
