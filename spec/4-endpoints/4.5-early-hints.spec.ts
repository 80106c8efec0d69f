import type { RequestListener, ServerResponse } from 'node:http';
import { connect } from 'node:http2';
import { expect } from 'chai';
import framework from 'nozomi';
import framework3 from 'nozomi/3';
import framework4 from 'nozomi/4';
import { createServer as createHttp2Server } from 'nozomi/http2';
import { playSteps } from '../../parity/client/exchange';
import { get } from '../../parity/client/request';
import { PATIENCE } from '../support/play';
import { close, portOf, serverOf, serving } from '../support/serve';

const LINK = '</a.css>; rel=preload';

/** Hints that Node.js 20 writes to the connection as they are, with the code of the error that newer versions throw. */
const INJECTIONS: ReadonlyArray<[hints: Record<string, string | string[]>, code: string]> = [
  [{ link: LINK, 'x-a': 'b\r\nX-Evil: 1' }, 'ERR_INVALID_CHAR'],
  [{ link: LINK, 'x-a': ['b', 'c\nX-Evil: 1'] }, 'ERR_INVALID_CHAR'],
  [{ link: LINK, 'x-a': 'b\r\n\r\nHTTP/1.1 200 OK' }, 'ERR_INVALID_CHAR'],
  // The connection would get the lower byte of each character, here CR and LF.
  [{ link: LINK, 'x-a': 'b\u010d\u010aX-Evil: 1' }, 'ERR_INVALID_CHAR'],
  [{ link: LINK, 'x-a: 1\r\nX-Evil': 'b' }, 'ERR_INVALID_HTTP_TOKEN'],
  [{ link: '</a\r\nX-Evil: 1>; rel=preload' }, 'ERR_INVALID_CHAR'],
  [{ link: [LINK, '</a>;\r\n rel=preload'] }, 'ERR_INVALID_CHAR'],
];

const SERIES = { nozomi: framework, 'nozomi/4': framework4, 'nozomi/3': framework3 };

/** Sends the hints that the query names, and responds with the code of the error. */
const listener = (req: { url?: string }, res: ServerResponse): void => {
  const [hints] = INJECTIONS[Number(req.url?.slice(1))] ?? [{ link: LINK, 'x-a': 'b' }];
  try {
    res.writeEarlyHints(hints);
    res.end('sent');
  } catch (err) {
    res.end(`${err instanceof TypeError} ${(err as NodeJS.ErrnoException).code}`);
  }
};

const PATHS = [...INJECTIONS.keys(), 'valid'].map((index) => `/${index}`);
const WANTED = [...INJECTIONS.map(([, code]) => `true ${code}`), 'sent'];

describe('res.writeEarlyHints', () => {
  for (const [series, create] of Object.entries(SERIES)) {
    it(`throws for names and values that would add a line, and sends nothing (${series})`, async () => {
      const app = create() as unknown as RequestListener & { use(handler: unknown): void };
      app.use(listener);

      const exchanges = await serving(app, (port) =>
        playSteps(
          PATHS.map((path) => get(path)),
          { port, patience: PATIENCE },
        ),
      );

      expect(exchanges.map(({ response }) => `${response.body}`)).to.deep.equal(WANTED);
      const heads = exchanges.map(({ response }) => response.interim?.length);
      expect(heads).to.deep.equal([...INJECTIONS.map(() => 0), 1]);
    });
  }

  for (const [kind, listen] of Object.entries({
    'an application': framework().use(listener),
    'a listener that is no application': listener,
  })) {
    it(`throws over HTTP/2 too, for ${kind}`, async () => {
      const server = await serverOf(createHttp2Server({ cleartext: true }, listen as RequestListener));
      const client = connect(`http://127.0.0.1:${portOf(server)}`);
      try {
        const seen: Array<[body: string, hints: string[]]> = [];
        for (const path of PATHS) {
          const request = client.request({ ':path': path });
          const hints: string[] = [];
          request.on('headers', (headers) => hints.push(...Object.keys(headers)));
          seen.push([String(Buffer.concat(await request.toArray())), hints]);
        }
        expect(seen).to.deep.equal(
          WANTED.map((body) => [body, body === 'sent' ? [':status', 'link', 'x-a'] : []]),
        );
      } finally {
        client.close();
        await close(server);
      }
    });
  }

  it('leaves other wrong arguments to Node.js, and sends nothing without a link', async () => {
    const app = framework();
    app.use((_req, res) => {
      res.writeEarlyHints({ 'x-a': 'b\r\nX-Evil: 1' });
      for (const wrong of [undefined, 1, { link: 'no link' }])
        expect(() => res.writeEarlyHints(wrong as never)).to.throw(TypeError, 'hints');
      res.send('sent');
    });

    const [exchange] = await serving(app, (port) => playSteps([get('/')], { port, patience: PATIENCE }));
    expect(`${exchange?.response.body}`).to.equal('sent');
    expect(exchange?.response.interim).to.deep.equal([]);
  });
});
