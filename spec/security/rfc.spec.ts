/** What RFC 9110 and RFC 9112 require of a server, beside Express. `npx mocha -R spec spec/security/rfc.spec.ts` prints it. */
import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import express from 'express';
import framework from 'nozomi';
import { strict } from 'nozomi/extras';
import type { Framework } from '../support/both';
import { close, portOf, serverOf } from '../support/serve';
import { addRoutes, isMet, PROBES, send } from './rfc-probes';

describe('requirements of RFC 9110 and RFC 9112', () => {
  const servers: Record<'E' | 'S', Server | undefined> = { E: undefined, S: undefined };

  before(async () => {
    const nozomi = framework as unknown as Framework;
    servers.E = await serverOf(createServer(addRoutes(express, express())));
    servers.S = await serverOf(addRoutes(nozomi, strict(nozomi())));
  });
  after(() => Promise.all(Object.values(servers).map((server) => server && close(server))));

  const countOf = (one: string): number => PROBES.filter(([, , , who]) => who.includes(one)).length;
  it(`of ${PROBES.length}, strict meets ${countOf('S')}, and Express meets ${countOf('E')}`, () => {
    expect(countOf('S')).to.be.at.least(54);
  });

  for (const [what, request, meets, who] of PROBES)
    it(`${what}: ${{ ES: 'met', S: 'met with strict', '': 'not met' }[who]}`, async () => {
      for (const name of ['E', 'S'] as const) {
        const received = await send(portOf(servers[name] as Server), request);
        expect(isMet(meets, received), `${name}: ${received.text.slice(0, 300)}`).to.equal(
          who.includes(name),
        );
      }
    });
});
