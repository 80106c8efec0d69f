import { createServer as createHttpServer } from 'node:http';
import https from 'node:https';
import { expect } from 'chai';
import framework from 'nozomi';
import request from 'supertest';
import { askBoth, lightRequest } from '../support/light';
import { serving } from '../support/serve';

describe('req.host, req.ip, req.protocol, req.xhr', () => {
  proves('F-2.6-14 F-2.6-15 F-2.6-48');
  it('without a Host header req.host is undefined and req.subdomains is empty', () => {
    const { ours, theirs } = askBoth((app) => {
      const req = lightRequest(app, {});
      return [req.host, req.hostname, req.subdomains];
    });

    expect(ours).to.deep.equal([undefined, undefined, []]);
    expect(ours).to.deep.equal(theirs);
  });

  proves('F-2.6-49');
  it('req.subdomains skips as many labels as subdomain offset, also of an IP address', () => {
    for (const [offset, host, wanted] of [
      [0, 'a.example.com', ['com', 'example', 'a']],
      [0, '127.0.0.1', ['127.0.0.1']],
      [1, 'a.example.com', ['example', 'a']],
      [-1, 'a.example.com', ['a']],
      [9, 'a.example.com', []],
    ] as const) {
      const { ours, theirs } = askBoth((app) => {
        return lightRequest(app.set('subdomain offset', offset), { headers: { host } }).subdomains;
      });

      expect(ours).to.deep.equal(wanted);
      expect(ours).to.deep.equal(theirs);
    }
  });

  proves('F-2.6-35 F-2.6-42');
  it('req.protocol and req.secure detect TLS, also if an HTTP server shares the application', async () => {
    const app = framework();
    app.get('/', (req, res) => res.json([req.protocol, req.secure]));
    // The TLS server uses a shared key instead of a certificate.
    const tls = { ciphers: 'PSK', maxVersion: 'TLSv1.2' } as const;
    const psk = Buffer.alloc(16, 7);
    await serving(https.createServer({ ...tls, pskCallback: () => psk }, app), async (port) => {
      const body = await new Promise<string>((resolve, reject) => {
        const known = {
          pskCallback: () => ({ psk, identity: 'spec' }),
          checkServerIdentity: () => undefined,
        };
        https
          .get({ host: '127.0.0.1', port, agent: false, ...tls, ...known }, (res) => {
            res.setEncoding('utf8').on('data', resolve);
          })
          .on('error', reject);
      });

      expect(JSON.parse(body)).to.deep.equal(['https', true]);
      expect((await request(createHttpServer(app)).get('/')).body).to.deep.equal(['http', false]);
    });
  });
});
