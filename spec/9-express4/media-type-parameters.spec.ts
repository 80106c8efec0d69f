/** Quoted parameters of media types, as Express 4 and 3 read them: by the rules of content-type 1.0 and type-is 1.6. */
import type { RequestListener, ServerResponse } from 'node:http';
import { expect } from 'chai';
import express4, { type ErrorRequestHandler } from 'express4';
import nozomi3 from 'nozomi/3';
import nozomi4 from 'nozomi/4';
import { playSteps } from '../../parity/client/exchange';
import { get, raw } from '../../parity/client/request';
import { loadExpress3 } from '../support/express3-original';
import { PATIENCE } from '../support/play';
import { serving } from '../support/serve';

type Create = typeof express4;
const express3 = loadExpress3();

const PARAMETERS = ['a="b\tc"', 'a="b\\\tc"', 'a="b c"', 'a="b\\c"', 'a="\u00e9"', 'a=b'];

async function responsesOf(app: RequestListener, steps: Parameters<typeof playSteps>[0]) {
  const exchanges = await serving(app, (port) => playSteps(steps, { port, patience: PATIENCE }));
  return exchanges.map(({ response: { status, headers, body } }) => [
    status,
    headers?.find(([name]) => name === 'Content-Type')?.[1],
    status === 200 ? `${body}` : '',
  ]);
}

describe('a quoted parameter of a media type', () => {
  for (const [series, reference, build] of [
    ['Express 4', express4, nozomi4],
    ['Express 3', express3, nozomi3],
  ] as const) {
    it(`with a tab in the Content-Type of a response fails as in ${series}`, async () => {
      const appOf = (create: unknown): RequestListener => {
        const app = (create as Create)();
        app.set('env', 'production');
        app.get('/:index', (req, res) => {
          const own = res as unknown as ServerResponse;
          own.setHeader('Content-Type', `text/plain; ${PARAMETERS[Number(req.params.index)]}`);
          res.send('sent');
        });
        app.use(((_err, _req, res, _next) => {
          res.removeHeader('Content-Type');
          res.statusCode = 500;
          res.end();
        }) as ErrorRequestHandler);
        return app;
      };
      const steps = PARAMETERS.map((_text, index) => get(`/${index}`));

      const ours = await responsesOf(appOf(build), steps);
      expect(ours).to.deep.equal(await responsesOf(appOf(reference), steps));
      expect(ours.map(([status]) => status)).to.deep.equal([500, 500, 200, 200, 200, 200]);
    });
  }

  it('with a tab in the Content-Type of a request makes the body parsers skip it, as in Express 4', async () => {
    const appOf = (create: unknown): RequestListener => {
      const app = (create as Create)();
      app.use((create as Create).json());
      app.use((req, res) => void res.json([req.body, req.is('json')]));
      return app;
    };
    const steps = PARAMETERS.map((parameter) =>
      raw(
        Buffer.from(
          `POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: application/json; ${parameter}\r\nContent-Length: 2\r\n\r\n[]`,
          'latin1',
        ),
      ),
    );

    const ours = await responsesOf(appOf(nozomi4), steps);
    expect(ours).to.deep.equal(await responsesOf(appOf(express4), steps));
    expect(ours.map(([, , body]) => body)).to.deep.equal([
      ...Array(2).fill('[{},false]'),
      ...Array(4).fill('[[],"json"]'),
    ]);
  });
});
