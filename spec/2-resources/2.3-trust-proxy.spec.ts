import { expect } from 'chai';
import fc from 'fast-check';
import { askBoth, lightRequest } from '../support/light';

describe('trust proxy, the address of the client', () => {
  proves('F-2.6-16 F-2.3-20');
  it('req.ip is the address that proxy-addr returns, for any trust function and any header', () => {
    const forwarded = fc.constantFrom(undefined, '', ' ', ',', '1.1.1.1', ' 1.1.1.1 ,10.0.0.1', 'nonsense');
    const value = fc.constantFrom(true, false, 1, 'loopback', '10.0.0.0/8');
    const peer = fc.constantFrom('127.0.0.1', '10.0.0.1', '::1', undefined as never);
    fc.assert(
      fc.property(forwarded, value, peer, (header, trusted, address) => {
        const { ours, theirs } = askBoth((app) => {
          const headers = { host: 'own.test', 'x-forwarded-for': header };
          const asked = lightRequest(app.set('trust proxy', trusted), { headers });
          Object.assign(asked.socket, { remoteAddress: address });
          return outcomeOf(() => asked.ip);
        });

        expect(ours).to.deep.equal(theirs);
      }),
    );
  });
});

/** @returns The result of a function, or its error as text. */
function outcomeOf(ask: () => unknown): unknown {
  try {
    return ask();
  } catch (err) {
    return String(err);
  }
}
