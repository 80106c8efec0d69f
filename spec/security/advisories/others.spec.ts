/** Advisories of Koa and Hono. Each spec tests the behaviour that the fixed release changed. */
import { expect } from 'chai';
import express from 'express';
import framework from 'nozomi';
import { get, post, raw } from '../../../parity/client/request';
import type { Framework } from '../../support/both';
import { attack, bodyOf } from './play';

const IMPLEMENTATIONS = [express, framework as unknown as Framework];

describe('advisories of other frameworks', () => {
  proves('CVE-2026-62595 F-2.6-39');
  it('req.query changes no prototype for any name', async () => {
    for (const parser of ['simple', 'extended']) {
      const [response] = await attack(
        (implementation) =>
          implementation()
            .set('query parser', parser)
            .get('/', (req, res) => void res.json([Object.entries(req.query), 'polluted' in {}])),
        get('/?__proto__=polluted&__proto__[polluted]=1&constructor[prototype][polluted]=1&toString=x'),
      );
      expect(bodyOf(response)).to.match(/,false\]$/);
    }
  });

  proves('CVE-2026-47673 CVE-2026-47674 CVE-2026-47675 CVE-2026-47676 F-2.6-04');
  it('req.baseUrl and req.url together are the target exactly as the client sent it, escapes included', async () => {
    const targets = [
      '/api/x',
      '/%61pi/x',
      '/%61%70%69/%78',
      '/caf%C3%A9/x',
      '/a%2Fb/x',
      '/api//x',
      '/API/x?/api',
    ];
    const responses = await attack(
      (implementation) =>
        implementation().use('/:mount', (req, res) => void res.json([req.baseUrl, req.url])),
      ...targets.map((target) => get(target)),
    );

    for (const [index, response] of responses.entries()) {
      const [base, url] = JSON.parse(bodyOf(response)) as [string, string];
      expect(base + url).to.equal(targets[index]);
    }
  });

  proves('CVE-2026-24398 CVE-2026-47673 CVE-2026-47674 CVE-2026-47675 CVE-2026-47676 F-2.3-28');
  it('trust proxy accepts a valid address in any spelling, and throws for an invalid one', () => {
    const rules = ['2001:db8:0:0::1', '10.1.2.3'];
    const same = ['2001:db8::1', '2001:DB8:0:0:0:0:0:1', '::ffff:10.1.2.3', '::FFFF:a01:203'];
    const none = ['10.1.2.999', '10.1.2.3.4', '10.1.2.3 ', '010.1.2.3.', '2001:db8::1::', '', 'localhost'];
    for (const implementation of IMPLEMENTATIONS) {
      const trusts = implementation().set('trust proxy', rules).get('trust proxy fn') as (
        address: string,
      ) => boolean;

      expect(same.map(trusts)).to.deep.equal(same.map(() => true));
      expect(none.map(trusts)).to.deep.equal(none.map(() => false));
      for (const rule of ['10.1.2.999', '10.0.0.0/33', '10.0.0.0/x', '::/129', 'a.b.c.d']) {
        expect(() => implementation().set('trust proxy', rule), rule).to.throw(TypeError, /^invalid /);
      }
    }
  });

  proves('CVE-2024-43787 CVE-2024-48913 F-2.10-42');
  it('req.is and framework.urlencoded() accept the type of a form in any letter case, and no body without a type', async () => {
    const forms = ['application/x-www-form-urlencoded', 'Application/X-WWW-Form-Urlencoded; a=b'];
    const responses = await attack(
      (implementation) => {
        const app = implementation().use(implementation.urlencoded());
        return app.post(
          '/',
          (req, res) => void res.json([req.is('urlencoded') !== false, req.body?.a ?? null]),
        );
      },
      ...forms.map((type) => post('/', 'a=1', { 'Content-Type': type })),
      raw('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nConnection: close\r\n\r\na=1'),
      raw('POST / HTTP/1.1\r\nHost: h\r\nContent-Type:\r\nContent-Length: 3\r\nConnection: close\r\n\r\na=1'),
    );

    expect(responses.map(bodyOf)).to.deep.equal(['[true,"1"]', '[true,"1"]', '[false,null]', '[false,null]']);
  });
});
