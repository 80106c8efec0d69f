/** Sessions and tokens of Express 3.21 are valid in nozomi/3, and vice versa, so users stay signed in. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import request from 'supertest';

const PEER = join(__dirname, '..', '..', 'support', 'express3-peer.ts');
const NAMES = { original: 'express3', build: 'nozomi/3' } as const;

type Implementation = keyof typeof NAMES;

const peers: ChildProcess[] = [];
const origins = {} as Record<Implementation, string>;

function cookiesOf(res: request.Response): string {
  return ([res.get('Set-Cookie')].flat() as string[]).map((cookie) => cookie.split(';')[0]).join('; ');
}

describe('cookies and tokens of nozomi/3 and Express 3.21', () => {
  before(async () => {
    for (const [implementation, name] of Object.entries(NAMES)) {
      const peer = fork(PEER, [name], { execArgv: ['--require', 'tsx/cjs', '--no-warnings'], silent: true });
      peers.push(peer);
      const [port] = await once(peer, 'message');
      origins[implementation as Implementation] = `http://127.0.0.1:${port}`;
    }
  });

  after(() => {
    for (const peer of peers) peer.kill();
  });

  for (const [maker, taker] of [
    ['original', 'build'],
    ['build', 'original'],
  ] as const) {
    describe(`${NAMES[taker]} with cookies of ${NAMES[maker]}`, () => {
      for (const path of ['/own', '/shared']) {
        proves('F-9.3-106 F-9.3-107');
        it(`accepts a session of cookieSession with the path ${path}`, async () => {
          const made = await request(origins[maker]).get(path).expect({ n: 1 });

          const taken = await request(origins[taker])
            .get(path)
            .set('Cookie', cookiesOf(made))
            .expect({ n: 2 });
          await request(origins[maker]).get(path).set('Cookie', cookiesOf(taken)).expect({ n: 3 });
        });
      }

      proves('F-9.3-107');
      it('starts a new session if the cookie of cookieSession was modified', async () => {
        const made = await request(origins[maker]).get('/own');
        const forged = cookiesOf(made).replace('n%22%3A1', 'n%22%3A9');

        expect(forged).not.to.equal(cookiesOf(made));
        await request(origins[taker]).get('/own').set('Cookie', forged).expect({ n: 1 });
      });

      proves('F-9.3-48 F-9.3-105');
      it('accepts signed cookies', async () => {
        const made = await request(origins[maker]).get('/signed/set');

        await request(origins[taker])
          .get('/signed/get')
          .set('Cookie', cookiesOf(made))
          .expect({ signed: { text: 'zwölf; =', json: { a: [1] } }, plain: {} });
      });

      for (const kind of ['own', 'cookie']) {
        proves('F-9.3-113 F-9.3-115');
        it(`accepts a csrf token whose secret is in the ${kind === 'own' ? 'session' : 'signed cookie'}`, async () => {
          const made = await request(origins[maker]).get(`/${kind}/token`);
          const ask = () => request(origins[taker]).post(`/${kind}/token`).set('Cookie', cookiesOf(made));

          await ask().set('X-CSRF-Token', made.text).expect(200);
          await ask().set('X-CSRF-Token', `${made.text}x`).expect(403);
          await ask().expect(403);
        });
      }
    });
  }
});
