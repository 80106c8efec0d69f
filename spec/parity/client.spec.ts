import { createServer } from 'node:net';
import { expect } from 'chai';
import { playSteps } from '../../parity/client/exchange';
import type { Exchange } from '../../parity/client/messages';
import {
  aborted,
  get,
  head,
  onOneConnection,
  pipelined,
  post,
  raw,
  type Step,
} from '../../parity/client/request';
import { PATIENCE } from '../support/play';
import { serving } from '../support/serve';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const CLOSE = 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end';

describe('parity: the HTTP client', () => {
  it('keeps order, spelling and duplicates of headers', async () => {
    const [exchange] = await play(
      'HTTP/1.1 200 Fine thanks\r\nX-b: 1\r\nx-A:  2 \r\nX-B: 3\r\nContent-Length: 0\r\n\r\n',
    );

    expect(exchange?.response).to.include({ status: 200, reason: 'Fine thanks', version: 'HTTP/1.1' });
    expect(exchange?.response.headers).to.deep.equal([
      ['X-b', '1'],
      ['x-A', '2'],
      ['X-B', '3'],
      ['Content-Length', '0'],
    ]);
    expect(exchange?.header('x-B')).to.equal('1');
  });

  it('parses chunks, their extensions and the trailers', async () => {
    const [exchange] = await play(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\none\r\nA\r\n0123456789\r\n0\r\nX-End: yes\r\n\r\n',
    );

    expect(exchange?.response.framing).to.equal('chunked');
    expect(String(exchange?.response.body)).to.equal('one0123456789');
    expect(exchange?.response.trailers).to.deep.equal([['X-End', 'yes']]);
  });

  it('reads a response without a length until the connection ends', async () => {
    const [exchange] = await play(CLOSE, { end: true });

    expect(exchange).to.include({ outcome: 'closed' });
    expect(exchange?.response).to.include({ framing: 'close' });
    expect(String(exchange?.response.body)).to.equal('until the end');
  });

  it('separates informational responses', async () => {
    const [exchange] = await play(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}`);

    expect(exchange?.response.interim).to.have.lengthOf(1);
    expect(exchange?.response.interim?.[0]).to.deep.include({ status: 103, headers: [['Link', '</a>']] });
    expect(exchange?.response.status).to.equal(200);
  });

  for (const [name, step, response] of [
    ['HEAD', head('/'), 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'],
    ['204', get('/'), 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['304', get('/'), 'HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n'],
  ] as const) {
    it(`expects no body for ${name}, and reports further bytes as surplus`, async () => {
      const [clean] = await play(response, {}, step);
      const [dirty] = await play(`${response}body`, {}, step);

      expect(clean).to.include({ outcome: 'kept' }).and.not.have.any.keys('fault', 'surplus');
      expect(clean?.response.framing).to.equal('none');
      expect(String(dirty?.surplus)).to.equal('body');
    });
  }

  for (const [what, response, fault] of [
    ['a status line that is none', 'HTP/1.1 200 OK\r\n\r\n', /not a status line/],
    ['a field without a colon', 'HTTP/1.1 200 OK\r\nbroken\r\n\r\n', /not a header/],
    [
      'a chunk without a size',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      /not a chunk size/,
    ],
    ['a body that is cut short', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort', /after 5 of 9 bytes/],
    ['nothing at all', '', /closed in a line/],
  ] as const) {
    it(`reports a fault for ${what}`, async () => {
      const [exchange] = await play(response, { end: true });

      expect(exchange?.fault).to.match(fault);
    });
  }

  it('keeps the part of a response that arrived before a fault', async () => {
    const [exchange] = await play('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort', { end: true });

    expect(exchange?.response.status).to.equal(200);
    expect(String(exchange?.response.body)).to.equal('short');
  });

  it('times out if the server sends nothing', async () => {
    const [exchange] = await play('HTTP/1.1 200 OK\r\n', { patience: 30 });

    expect(exchange).to.include({ outcome: 'silent', fault: 'silent' });
  });

  it('disconnects at the time that the request specifies', async () => {
    const [sent] = await play(OK, {}, aborted(get('/'), 'sent'));
    const [seen] = await play(OK, {}, aborted(get('/'), 'head'));

    expect(sent).to.deep.include({ outcome: 'left', response: {} });
    expect(seen?.outcome).to.equal('left');
    expect(seen?.response.status).to.equal(200);
    expect(seen?.response).to.not.have.property('body');
  });

  it('sends the requests of onOneConnection on one connection, and others on new ones', async () => {
    const exchanges = await play(
      OK,
      {},
      onOneConnection(get('/a'), (seen) => get(`/${seen.length}`)),
      get('/c'),
    );

    expect(exchanges.map(({ connection, request }) => [connection, request.target])).to.deep.equal([
      [1, '/a'],
      [1, '/1'],
      [2, '/c'],
    ]);
  });

  it('writes pipelined requests at once, and reads their responses in order', async () => {
    const heard: string[] = [];
    const exchanges = await play(OK + OK.replace('ok', 'no'), { heard }, pipelined(get('/a'), get('/b')));

    expect(exchanges.map(({ response }) => String(response.body))).to.deep.equal(['ok', 'no']);
    expect(heard[0]).to.match(/^GET \/a [\s\S]*GET \/b /);
  });

  it('sends headers in their order, and unchanged bytes', async () => {
    const heard: string[] = [];
    await play(
      OK,
      { heard },
      post('/x', ['ab', 'c'], { 'X-Z': ['1', '2'], Host: false }),
      raw('\xe4\r\n\r\n'),
    );

    expect(heard).to.deep.equal([
      'POST /x HTTP/1.1\r\nX-Z: 1\r\nX-Z: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n',
      '\xe4\r\n\r\n',
    ]);
  });

  it('waits for 100 Continue before it sends the body', async () => {
    const heard: string[] = [];
    await play(
      `HTTP/1.1 100 Continue\r\n\r\n`,
      { heard, next: OK },
      post('/', 'body', { Expect: '100-continue' }),
    );

    expect(heard).to.have.lengthOf(2);
    expect(heard[1]).to.equal('body');
  });
});

interface Manner {
  /** Whether the server closes the connection after the response. Default false. */
  readonly end?: boolean;
  readonly patience?: number;
  /** Filled with the chunks that the server receives. */
  readonly heard?: string[];
  /** What the server sends for the second and later chunks. Default: the same response. */
  readonly next?: string;
}

/** Plays requests to a server that sends `response` for each chunk. */
async function play(response: string, manner: Manner = {}, ...steps: Step[]): Promise<Exchange[]> {
  const server = createServer((socket) => {
    let chunks = 0;
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      manner.heard?.push(chunk.toString('latin1'));
      socket.write(chunks++ > 0 && manner.next !== undefined ? manner.next : response, 'latin1');
      if (manner.end) socket.end();
    });
  });
  return serving(server, (port) =>
    playSteps(steps.length > 0 ? steps : [get('/')], { port, patience: manner.patience ?? PATIENCE }),
  );
}
