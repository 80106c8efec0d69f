import { expect } from 'chai';
import type { ErrorRequestHandler } from 'express';
import { get } from '../../parity/client/request';
import { type Framework, muteDeprecations, playBoth } from '../support/both';
import { HOSTILE } from './hostile-responses';

describe('hostile values in a response (§7)', () => {
  muteDeprecations();

  for (const [name, respond] of Object.entries(HOSTILE)) {
    it(`${name}: sends the response of Express, with no part of the value as another header [F-7-02]`, async () => {
      const { reference, build } = await playBoth(applicationOf(respond), get('/'), get('/after'));

      expect(build).to.deep.equal(reference);
      expect(
        build[0]?.slice(1, -3).filter((header) => /^(set-cookie: stolen|x-worse)/i.test(header)),
      ).to.deep.equal([]);
      expect(build[1]).to.include('still here');
    });
  }
});

function applicationOf(respond: (typeof HOSTILE)[string]) {
  return (framework: Framework) => {
    const app = framework();
    app.get('/', (req, res) => void respond(res, req));
    app.get('/after', (_req, res) => res.send('still here'));
    const tell: ErrorRequestHandler = (err, _req, res, next) => {
      if (res.headersSent) return next(err);
      const { name, message, code, status, types } = err;
      for (const header of res.getHeaderNames()) res.removeHeader(header);
      res.statusMessage = '';
      res.status(err.status ?? 500).json({ name, message: message.split('\n')[0], code, status, types });
    };
    app.set('env', 'test');
    app.use(tell);
    return app;
  };
}
