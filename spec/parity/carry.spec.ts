/** Which values of a recording a replay replaces by those of its own responses. */
import { expect } from 'chai';
import { carrying } from '../../parity/application/carry';
import type { RecordedRequest } from '../../parity/application/traffic';
import type { Exchange, HeaderList, Request } from '../../parity/client/messages';
import { get, type HeaderRecord, post } from '../../parity/client/request';

interface Response {
  readonly headers?: HeaderList;
  readonly body?: string;
}

/** Each request with its recorded response, and with that of the run. */
type Played = readonly [request: Request, recorded: Response, now?: Response];

/** Returns the last request as it is sent. */
function sent(...played: Played[]): Request {
  const requests = played.map(
    ([request, { headers = [], body = '' }], index): RecordedRequest => ({
      ...request,
      id: String(index),
      answer: { headers, body },
    }),
  );
  const seen = played.slice(0, -1).map(([request, recorded, now = recorded]) => {
    const { headers = [], body = '' } = now;
    return { request, response: { headers, body: Buffer.from(body) } } as unknown as Exchange;
  });
  const source = carrying(requests, new Map()).at(-1);
  return typeof source === 'function' ? source(seen) : (source as Request);
}

const json = (value: unknown): Response => ({ body: JSON.stringify(value) });
const cookie = (...lines: string[]): Response => ({ headers: lines.map((line) => ['Set-Cookie', line]) });
const cookieOf = ({ headers }: Request): string | undefined =>
  headers.find(([name]) => name === 'Cookie')?.[1];
const as = (pair: string, headers: HeaderRecord = {}): HeaderRecord => ({ Cookie: pair, ...headers });

describe('a short id of a recorded response', () => {
  const created: Played = [post('/orders', { a: 1 }), json({ id: 1 }), json({ id: 7 })];

  it('is carried to the segment and to the members of its name', () => {
    expect(sent(created, [get('/orders/1'), {}]).target).to.equal('/orders/7');
    expect(sent(created, [get('/api/orders/1/items'), {}]).target).to.equal('/api/orders/7/items');
    expect(sent(created, [get('/pay?order_id=1&n=1'), {}]).target).to.equal('/pay?order_id=7&n=1');
    expect(String(sent(created, [post('/pay', { orderId: 1, n: 1 }), {}]).payload)).to.equal(
      '{"orderId":7,"n":1}',
    );
    expect(String(sent(created, [post('/pay', 'order=1&n=1', form), {}]).payload)).to.equal('order=7&n=1');
    expect(String(sent(created, [post('/pay', parts('order', '1'), multipart), {}]).payload)).to.equal(
      parts('order', '7'),
    );
  });

  for (const target of ['/list?page=1', '/rooms/1/12', '/users/1', '/a/1'])
    it(`is not carried to other values that are equal: ${target}`, () => {
      expect(sent(created, [get(target), {}]).target).to.equal(target);
    });

  it('is not carried to other members that are equal', () => {
    const body = '{"quantity":1,"version":"1","items":[1]}';

    expect(String(sent(created, [post('/cart', body, typed), {}]).payload)).to.equal(body);
  });

  it('belongs to the resource of its response', () => {
    const user: Played = [post('/users', {}), json({ id: 1 }), json({ id: 9 })];

    expect(sent(created, user, [get('/users/1/orders/1'), {}]).target).to.equal('/users/9/orders/7');
  });

  it('is found in the link of a page, and in Location', () => {
    const page = (id: number): Response => ({ body: `<p>new</p><a href="/orders/${id}/edit">edit</a>` });
    const moved = (id: number): Response => ({ headers: [['Location', `/orders/${id}`]] });

    expect(sent([get('/new'), page(3), page(44)], [get('/orders/3/edit'), {}]).target).to.equal(
      '/orders/44/edit',
    );
    expect(sent([get('/new'), moved(3), moved(44)], [get('/orders/3'), {}]).target).to.equal('/orders/44');
  });

  it('is that of a variable, and of an argument, of GraphQL', () => {
    const order: Played = [
      post('/graphql', {}),
      json({ data: { createOrder: { id: '1' } } }),
      json({ data: { createOrder: { id: '7' } } }),
    ];
    const query = { query: '{ order(id: "1") { n } }', variables: { id: '1', first: '1' } };

    expect(JSON.parse(String(sent(order, [post('/graphql', query), {}]).payload))).to.deep.equal({
      query: '{ order(id: "7") { n } }',
      variables: { id: '7', first: '1' },
    });
  });
});

describe('a token of a recorded response', () => {
  const [before, after] = ['0123456789abcdef01', 'fedcba9876543210fe'];

  for (const [what, page] of [
    ['a field of a form', (token: string) => `<input type="hidden" name="_csrf" value="${token}">`],
    ['an attribute', (token: string) => `<body data-page="1" data-token='${token}'>`],
    ['a meta element', (token: string) => `<meta name="csrf-token" content="${token}">`],
    ['inline JSON', (token: string) => `<script>window.state = {"csrf":"${token}","n":1}</script>`],
    ['inline JavaScript', (token: string) => `<script>const csrf = '${token}';</script>`],
    ['a link', (token: string) => `<a href="/confirm/${token}?a=1">confirm</a>`],
    ['XML', (token: string) => `<a><csrf>${token}</csrf></a>`],
    ['a text', (token: string) => token],
  ] as const)
    it(`is carried from ${what}`, () => {
      const played: Played = [get('/page'), { body: page(before) }, { body: page(after) }];

      expect(String(sent(played, [post('/save', `_csrf=${before}`, form), {}]).payload)).to.equal(
        `_csrf=${after}`,
      );
    });

  it('is the second of two, although the first differs, too', () => {
    const page = (one: string, two: string): Response => ({
      body: `<i data-a="${one}"></i><i data-b="${two}"></i>`,
    });
    const played: Played = [get('/'), page('aaaa00001111', before), page('bbbb2222333', after)];

    expect(sent(played, [get(`/x?t=${before}`), {}]).target).to.equal(`/x?t=${after}`);
  });

  it('is carried from a member with any name, a cookie and a header', () => {
    const request = get('/me', { Authorization: `Bearer ${before}` });
    const headerOf = (one: Request): string | undefined => one.headers.at(-1)?.[1];

    expect(
      headerOf(sent([get('/'), json({ login: before }), json({ login: after })], [request, {}])),
    ).to.equal(`Bearer ${after}`);
    expect(
      headerOf(
        sent([get('/'), cookie(`XSRF-TOKEN=${before}`), cookie(`XSRF-TOKEN=${after}`)], [request, {}]),
      ),
    ).to.equal(`Bearer ${after}`);
  });

  it('is encoded as the place requires', () => {
    const played: Played = [get('/'), json({ token: 'a+b/c=0123' }), json({ token: 'x/y+z=4567&' })];

    expect(sent(played, [get('/x?t=a%2Bb%2Fc%3D0123&u=%20'), {}]).target).to.equal(
      '/x?t=x%2Fy%2Bz%3D4567%26&u=%20',
    );
    expect(String(sent(played, [post('/', 't=a%2Bb%2Fc%3D0123&u=a+b', form), {}]).payload)).to.equal(
      't=x%2Fy%2Bz%3D4567%26&u=a+b',
    );
  });

  it('is carried in a body of another charset, whose other bytes stay', () => {
    const body = (token: string): Buffer => Buffer.from(`{"name":"Zoë","t":"${token}"}`, 'latin1');
    const request = post('/', body(before), { 'Content-Type': 'application/json; charset=latin1' });

    expect(sent([get('/'), json({ t: before }), json({ t: after })], [request, {}]).payload).to.deep.equal(
      body(after),
    );
  });
});

describe('the cookies of a replay', () => {
  const ann: Played = [post('/login', { n: 'ann' }), cookie('sid=a1'), cookie('sid=a2')];
  const bob: Played = [post('/login', { n: 'bob' }), cookie('sid=b1'), cookie('sid=b2')];

  it('are those of the user who had the recorded value', () => {
    expect(cookieOf(sent(ann, bob, [get('/', as('sid=a1')), {}]))).to.equal('sid=a2');
    expect(cookieOf(sent(ann, bob, [get('/', as('sid=b1')), {}]))).to.equal('sid=b2');
    expect(cookieOf(sent(ann, bob, [get('/'), {}]))).to.equal(undefined);
  });

  it('are not those that the recorded request does not have, as for another path', () => {
    const start: Played = [
      get('/auth/start'),
      cookie('r=1; Path=/auth', 't=1'),
      cookie('r=2; Path=/auth', 't=2'),
    ];

    expect(cookieOf(sent(start, [get('/page', as('t=1')), {}]))).to.equal('t=2');
  });

  it('are replaced by those that the application sets for a session from before the recording', () => {
    const page: Played = [get('/', as('sid=old')), {}, cookie('sid=new')];

    expect(cookieOf(sent(page, [get('/', as('sid=old')), {}]))).to.equal('sid=new');
    expect(cookieOf(sent(page, [get('/', as('sid=other')), {}]))).to.equal('sid=other');
  });

  it('are kept as by a browser if the recording has none, by path and end', () => {
    const set = cookie('r=1; Path=/auth', 't=1', 'gone=1');
    const played: Played[] = [
      [get('/auth/start'), {}, set],
      [get('/auth/end'), {}, cookie('gone=; Path=/auth; Max-Age=0')],
    ];

    expect(cookieOf(sent(...played, [get('/auth/next'), {}]))).to.equal('r=1; t=1');
    expect(cookieOf(sent(...played, [get('/other'), {}]))).to.equal(undefined);
  });
});

describe('a large recording', () => {
  it('is prepared in linear time', () => {
    const body = JSON.stringify({
      rows: Array.from({ length: 100 }, (_, id) => ({
        id,
        uuid: `0123456789abcdef-${id}`,
        note: 'x'.repeat(60),
      })),
    });
    const prepare = (count: number): number => {
      const requests = Array.from(
        { length: count },
        (_, page): RecordedRequest => ({
          ...get(`/rows/${page % 100}?uuid=0123456789abcdef-${page % 100}`),
          id: String(page),
          answer: { headers: [], body },
        }),
      );
      const before = process.cpuUsage();
      carrying(requests, new Map());
      return process.cpuUsage(before).user;
    };
    prepare(50);

    expect(prepare(400)).to.be.below(prepare(100) * 12);
  });
});

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const typed = { 'Content-Type': 'application/json' };
const multipart = { 'Content-Type': 'multipart/form-data; boundary=cut' };

function parts(name: string, value: string): string {
  return `--cut\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--cut--\r\n`;
}
