import { expect } from 'chai';
import type { Response } from 'express';
import framework from 'nozomi';
import request from 'supertest';
import { get } from '../../parity/client/request';
import { play } from '../support/both';

function appOf(act: (res: Response) => unknown) {
  const app = framework();
  app.set('env', 'test').disable('x-powered-by');
  app.get('/', (_req, res) => {
    act(res);
    if (!res.writableEnded) res.end();
  });
  return app;
}

/** @returns The status line, the headers as sent, the body, and the outcome of the connection. */
async function linesOf(act: (res: Response) => unknown): Promise<readonly string[]> {
  const [response] = await play(appOf(act), [get('/')]);
  return response ?? [];
}

describe('res.set() and res.get() (§4.5)', () => {
  it('res.set sends a name in the given letter case, and its value as a string [F-4.5-84]', async () => {
    const lines = await linesOf((res) => res.set('x-ONE', 'a').set('X-Two', 2 as never));

    expect(lines).to.include.members(['x-ONE: a', 'X-Two: 2']);
  });

  it('res.set sends a list as several headers, and undefined as the text undefined [F-4.5-84]', async () => {
    const lines = await linesOf((res) =>
      res.set('X-List', ['a', 1 as never]).set('X-None', undefined as never),
    );

    expect(lines).to.include.members(['X-List: a', 'X-List: 1', 'X-None: undefined']);
  });

  it('res.set adds a charset to a Content-Type of text, and throws for a list of types [F-4.5-84]', async () => {
    const lines = await linesOf((res) => res.set('content-type', 'text/x-own'));
    const refused = await request(appOf((res) => res.set('Content-Type', ['a/b'] as never))).get('/');

    expect(lines).to.include('content-type: text/x-own; charset=utf-8');
    expect(refused.text).to.include('TypeError: Content-Type cannot be set to an Array');
  });

  it('res.set sets each header of an object [F-4.5-85]', async () => {
    const lines = await linesOf((res) => res.set({ 'X-A': '1', 'X-B': ['2', '3'] }));

    expect(lines).to.include.members(['X-A: 1', 'X-B: 2', 'X-B: 3']);
  });

  it('res.header is an alias of res.set [F-4.5-86]', () => {
    expect(framework.response.header).to.equal(framework.response.set);
  });

  it('res.get returns a header of the response, in any letter case [F-4.5-32 F-4.5-33]', async () => {
    const app = framework();
    app.get('/', (_req, res) => {
      res.set({ 'X-One': 'a', 'X-List': ['b', 'c'] });
      res.json([res.get('x-one'), res.get('X-ONE'), res.get('x-list'), res.get('x-none') ?? 'none']);
    });

    const res = await request(app).get('/');

    expect(res.body).to.deep.equal(['a', 'a', ['b', 'c'], 'none']);
  });

  it('a line break in a value gives a 500 response, because Node.js throws [F-4.5-84]', async () => {
    const res = await request(appOf((some) => some.set('X-A', 'a\r\nX-B: b'))).get('/');

    expect(res.status).to.equal(500);
    expect(res.headers).not.to.have.any.keys('x-a', 'x-b');
    expect(res.text).to.include('Invalid character in header content');
  });
});

describe('res.append() (§4.5)', () => {
  it('sets a missing header [F-4.5-01]', async () => {
    expect(await linesOf((res) => res.append('X-A', 'one'))).to.include('X-A: one');
  });

  it('adds a value or a list to the existing values [F-4.5-02 F-4.5-03]', async () => {
    const lines = await linesOf((res) =>
      res.append('X-A', 'one').append('X-A', 'two').append('X-A', ['three', 'four']),
    );

    expect(lines.filter((line) => line.startsWith('X-A'))).to.deep.equal([
      'X-A: one',
      'X-A: two',
      'X-A: three',
      'X-A: four',
    ]);
  });

  it('sends the text undefined if it is called without a value [F-4.5-04]', async () => {
    expect(await linesOf((res) => res.append('X-A'))).to.include('X-A: undefined');
  });

  it('values that it appended are replaced by res.set [F-4.5-05]', async () => {
    const lines = await linesOf((res) => res.append('X-A', 'one').append('X-A', 'two').set('X-A', 'three'));

    expect(lines.filter((line) => line.startsWith('X-A'))).to.deep.equal(['X-A: three']);
  });
});

describe('res.type() (§4.5)', () => {
  const TYPES: ReadonlyArray<[clause: string, given: string, sent: string]> = [
    ['F-4.5-89', '.html', 'text/html; charset=utf-8'],
    ['F-4.5-90', 'html', 'text/html; charset=utf-8'],
    ['F-4.5-91', 'png', 'image/png'],
    ['F-4.5-92', '.png', 'image/png'],
    ['F-4.5-93', 'json', 'application/json; charset=utf-8'],
    ['F-4.5-94', 'image/x-own', 'image/x-own'],
    ['F-4.5-95', 'text/html', 'text/html; charset=utf-8'],
    ['F-4.5-95', 'text/html; charset=latin1', 'text/html; charset=latin1'],
    ['F-4.5-96', 'no-such-extension', 'application/octet-stream'],
  ];
  for (const [clause, given, sent] of TYPES) {
    it(`${given} is sent as ${sent} [${clause}]`, async () => {
      expect(await linesOf((res) => res.type(given))).to.include(`Content-Type: ${sent}`);
    });
  }

  it('res.contentType is an alias of res.type [F-4.5-96]', () => {
    expect(framework.response.contentType).to.equal(framework.response.type);
  });
});

describe('res.links() and res.vary() (§4.5)', () => {
  it('res.links adds each URL with its relation to the header Link [F-4.5-44]', async () => {
    const lines = await linesOf((res) => res.links({ next: '/2', all: ['/1', '/2'] }).links({ last: '/5' }));

    expect(lines).to.include('Link: </2>; rel="next", </1>; rel="all", </2>; rel="all", </5>; rel="last"');
  });

  it('res.vary adds a name once, in any letter case [F-4.5-97]', async () => {
    const lines = await linesOf((res) => res.vary('Accept').vary('accept').vary('Origin'));

    expect(lines).to.include('Vary: Accept, Origin');
  });

  it('res.vary throws without a name [F-4.5-97]', async () => {
    const res = await request(appOf((some) => some.vary(undefined as never))).get('/');

    expect(res.text).to.include('TypeError: field argument is required');
  });
});

describe('res.attachment() (§4.5)', () => {
  it('without a name sends Content-Disposition: attachment [F-4.5-06]', async () => {
    const lines = await linesOf((res) => res.attachment());

    expect(lines).to.include('Content-Disposition: attachment');
    expect(lines.some((line) => line.startsWith('Content-Type'))).to.equal(false);
  });

  it('sends the name without directories, and sets the type of its extension [F-4.5-07 F-4.5-08]', async () => {
    const lines = await linesOf((res) => res.attachment('/private/a b.png'));

    expect(lines).to.include.members([
      'Content-Disposition: attachment; filename="a b.png"',
      'Content-Type: image/png',
    ]);
  });

  it('sends a name outside of Latin-1 as filename* and, for old clients, as filename [F-4.5-07]', async () => {
    const lines = await linesOf((res) => res.attachment('緑.txt'));

    expect(lines).to.include(
      `Content-Disposition: attachment; filename="?.txt"; filename*=UTF-8''%E7%B7%91.txt`,
    );
  });

  it('sets no type for an empty name [F-4.5-08]', async () => {
    const lines = await linesOf((res) => res.attachment(''));

    expect(lines.some((line) => line.startsWith('Content-Type'))).to.equal(false);
  });
});

describe('methods that can be chained (§4.5)', () => {
  const CHAINED: Readonly<Record<string, (res: Response) => unknown>> = {
    'append [F-4.5-99]': (res) => res.append('X-A', '1'),
    'attachment [F-4.5-100]': (res) => res.attachment('a.txt'),
    'cookie [F-4.5-101]': (res) => res.cookie('a', '1'),
    'clearCookie [F-4.5-102]': (res) => res.clearCookie('a'),
    'links [F-4.5-103]': (res) => res.links({ next: '/2' }),
    'location [F-4.5-104]': (res) => res.location('/'),
    'set [F-4.5-105]': (res) => res.set('X-A', '1'),
    'set of an object [F-4.5-105]': (res) => res.set({ 'X-A': '1' }),
    'type [F-4.5-106]': (res) => res.type('html'),
    'vary [F-4.5-107]': (res) => res.vary('Accept'),
    'status [F-4.5-88]': (res) => res.status(200),
  };
  for (const [name, act] of Object.entries(CHAINED)) {
    it(`res.${name} returns the response`, async () => {
      let response: unknown;
      let own: unknown;
      await linesOf((res) => {
        own = res;
        response = act(res);
      });

      expect(response).to.equal(own);
    });
  }
});
