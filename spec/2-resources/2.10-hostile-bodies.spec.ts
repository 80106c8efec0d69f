/** The CPU time of hostile bodies, and clients that disconnect during a body. */
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import framework from 'nozomi';
import { playSteps } from '../../parity/client/exchange';
import type { Request } from '../../parity/client/messages';
import { formatHead, post } from '../../parity/client/request';
import { echo, type Parser, TYPES } from '../support/bodies';
import { cpuOfAsync } from '../support/cost';
import { descriptors, descriptorsBeyond } from '../support/descriptors';
import { PATIENCE } from '../support/play';
import { close, portOf, serverOf } from '../support/serve';

describe('body parsers, CPU time of hostile bodies', () => {
  /** @returns The lowest CPU time of three requests, in milliseconds. */
  async function timeOf(parser: Parser, options: object, text: string): Promise<number> {
    const listener = echo(parser, { limit: '10mb', ...options })(framework as never);
    const server = await serverOf(listener);
    const times: number[] = [];
    for (let round = 0; round < 3; round++) {
      times.push(
        await cpuOfAsync(async () => {
          const [exchange] = await playSteps([post('/', text, { 'Content-Type': TYPES[parser] })], {
            port: portOf(server),
            patience: PATIENCE,
          });
          expect(exchange?.response.status).to.be.a('number');
        }),
      );
    }
    await close(server);
    return Math.min(...times);
  }

  const FORMS: Readonly<Record<string, (count: number) => string>> = {
    'bare names': (count) => Array.from({ length: count }, (_, n) => n.toString(36)).join('&'),
    'one name': (count) => 'a=1&'.repeat(count),
    'no names': (count) => '&'.repeat(count),
    'a late equals sign': (count) =>
      `${Array.from({ length: count }, (_, n) => n.toString(36)).join('&')}&z==`,
    'escapes that are none': (count) =>
      Array.from({ length: count }, (_, n) => `${n.toString(36)}=%`).join('&'),
  };

  for (const [what, of] of Object.entries(FORMS)) {
    for (const extended of [false, true]) {
      proves('CVE-2025-13466 F-2.10-69 F-8-02');
      it(`urlencoded() parses 50,000 parameters in linear time: ${what}${extended ? ', extended' : ''}`, async () => {
        const options = { extended, parameterLimit: 1e6 };
        const few = await timeOf('urlencoded', options, of(12_500));
        const many = await timeOf('urlencoded', options, of(50_000));

        // The input is four times as long. Quadratic parsing would take sixteen times as long.
        expect(many).to.be.below(10 * few + 100);
      });
    }
  }
});

describe('body parsers, clients that disconnect', () => {
  const json = JSON.stringify({ list: Array.from({ length: 900 }, (_, n) => `some words ${n}`) });
  const sent = (parser: Parser, body: string | Buffer | string[], headers = {}): [Parser, Request] => [
    parser,
    post('/', body, { 'Content-Type': TYPES[parser], ...headers }),
  ];
  const REQUESTS: ReadonlyArray<[Parser, Request]> = [
    sent('json', json),
    sent('json', [json.slice(0, 9000), json.slice(9000)]),
    sent('json', gzipSync(json), { 'Content-Encoding': 'gzip' }),
    sent('urlencoded', 'name=some+words&'.repeat(900)),
    sent('text', json),
    sent('raw', json),
  ];

  for (let twentieth = 1; twentieth <= 20; twentieth++) {
    proves('F-2.10-73 F-7-16');
    it(`call next() once, and leak no descriptor or listener, after ${twentieth}/20 of a body`, async () => {
      const before = descriptors();
      for (const [parser, request] of REQUESTS) {
        const { calls, type, listeners } = await leave(parser, request, twentieth / 20);
        // As in Express, the parser does not call `next` if the client disconnects during a compressed body.
        const isUnheard = twentieth < 20 && request.headers.some(([name]) => name === 'Content-Encoding');
        expect([calls, type]).to.deep.equal(
          isUnheard ? [0, undefined] : [1, twentieth < 20 ? 'request.aborted' : undefined],
        );
        expect(listeners).to.deep.equal({ data: isUnheard ? 1 : 0, error: 0, aborted: 0, readable: 0 });
      }
      expect(await descriptorsBeyond(before)).to.equal(0);
    });
  }

  /** Sends the head of a request, then a part of its body when the parser has begun to read, and disconnects. */
  async function leave(parser: Parser, request: Request, part: number) {
    let calls = 0;
    let type: unknown;
    let gone: (req: IncomingMessage) => void;
    const closed = new Promise<IncomingMessage>((resolve) => {
      gone = resolve;
    });
    const parse = framework[parser]({ limit: '1mb', inflate: true });
    const app = framework();
    app.use((req, res) => {
      res.on('close', () => gone(req));
      parse(req, res, (err?: { type?: string }) => {
        calls++;
        type = err?.type;
        res.end();
      });
      const sent = request.payload.subarray(0, Math.ceil(request.payload.length * part));
      client.write(sent, () => part < 1 && client.destroy());
      client.on('data', () => client.destroy());
    });
    const server = await serverOf(app);
    const client = connect(portOf(server), '127.0.0.1');
    client.on('error', () => {});
    client.write(formatHead(request));
    const req = await closed;
    await new Promise(setImmediate);
    await close(server);
    await new Promise(setImmediate);
    const listeners = Object.fromEntries(
      ['data', 'error', 'aborted', 'readable'].map((name) => [name, req.listenerCount(name)]),
    );
    return { calls, type, listeners };
  }
});
