import { createServer as createHttpServer } from 'node:http';
import https from 'node:https';
import { expect } from 'chai';
import framework from 'nozomi';
import request from 'supertest';
import { serving } from '../support/serve';

describe('req.protocol and req.secure', () => {
  proves('F-2.6-35 F-2.6-42');
  it('detect TLS, also if an HTTP server shares the application', async () => {
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
