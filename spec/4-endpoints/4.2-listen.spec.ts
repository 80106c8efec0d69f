import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import framework from 'nozomi';

describe('app.listen()', () => {
  proves('F-4.2-56');
  it('accepts the options of server.listen() of Node.js', async () => {
    const app = framework();
    const server = (app.listen as (options: object) => Server).call(app, { port: 0, host: '127.0.0.1' });
    await once(server, 'listening');

    expect((server.address() as AddressInfo).address).to.equal('127.0.0.1');
    server.close();
  });
});
