/**
 * Hostile or wrong values that an application may pass to a response, by title: injected headers, foreign targets,
 * invalid cookies, statuses, types, JSON and others. A spec and a scenario of the parity suite send each row.
 */
import { join } from 'node:path';
import type { Request, Response } from 'express';

export type Hostile = (res: Response, req: Request) => unknown;

const FILE = join(__dirname, '../../fixtures/files/hello.txt');
const CRLF = '\r\nSet-Cookie: stolen=1';
const circular: Record<string, unknown> = {};
circular.self = circular;
const any = (value: unknown): never => value as never;

function table<T>(
  what: string,
  values: Readonly<Record<string, T>>,
  respond: (res: Response, value: T) => unknown,
) {
  return Object.entries(values).map(([name, value]): [string, Hostile] => [
    `${what} ${name}`,
    (res) => respond(res, value),
  ]);
}

const INJECTED = {
  'CR LF': `a${CRLF}`,
  CR: 'a\rb',
  LF: 'a\nb',
  NUL: 'a\u0000b',
  DEL: 'a\u007fb',
  'beyond latin1': 'a\u0100b',
  'a lone surrogate': 'a\ud800b',
};

const TARGETS = {
  'another host': '//evil.example',
  'a backslash host': '/\\evil.example',
  'two backslashes': '\\\\evil.example',
  script: 'javascript:alert(document.domain)',
  'script with a tab': 'java\tscript:alert(1)',
  data: 'data:text/html,<script>alert(1)</script>',
  userinfo: 'https://good.example@evil.example/',
  'userinfo with a backslash': 'https://good.example\\@evil.example/',
  'a unicode host': 'https://ｅvil.example/℀',
  'a right-to-left mark': '/\u202egnp.exe',
  'CR LF': `/a${CRLF}`,
  NUL: '/a\u0000b',
  'a lone surrogate': '/\udc00',
  markup: '/"><script>alert(1)</script>',
  'a broken escape': '/%zz%',
  'many bytes': `/${'a'.repeat(20_000)}`,
};

const CODES = {
  0: 0,
  99: 99,
  1000: 1000,
  NaN: Number.NaN,
  text: '200',
  float: 200.5,
  bigint: 200n,
  negative: -1,
};

export const HOSTILE: Readonly<Record<string, Hostile>> = Object.fromEntries<Hostile>([
  ...table('set value with', INJECTED, (res, value) => res.set('X-Value', value).send('x')),
  ...table('set name with', { ...INJECTED, colon: 'a:b', empty: '', blank: 'a b' }, (res, name) =>
    res.set(name, 'x').send('x'),
  ),
  ...table('append with', INJECTED, (res, value) =>
    res.append('X-Value', 'a').append('X-Value', value).send('x'),
  ),
  ...table('type with', INJECTED, (res, value) => res.type(`text/${value}`).send('x')),
  ...table('links with', INJECTED, (res, value) => res.links({ next: `/${value}` }).send('x')),
  ...table('attachment with', { ...INJECTED, path: '../../etc/passwd', quote: 'a"; x="b' }, (res, value) =>
    res.attachment(value).send('x'),
  ),
  ...table('location to', TARGETS, (res, url) => res.location(url).send('x')),
  ...table('redirect to', TARGETS, (res, url) => res.redirect(url)),
  ...table('cookie name with', { ...INJECTED, semicolon: 'a;b', equals: 'a=b', empty: '' }, (res, name) =>
    res.cookie(name, 'x').send('x'),
  ),
  ...table(
    'cookie value with',
    { ...INJECTED, semicolon: 'a; Domain=evil.example', quote: '"' },
    (res, value) => res.cookie('name', value).send('x'),
  ),
  ...table('raw cookie value with', { ...INJECTED, semicolon: 'a; Path=/evil' }, (res, value) =>
    res.cookie('name', value, { encode: String }).send('x'),
  ),
  ...table('cookie path with', { ...INJECTED, semicolon: '/; Domain=evil.example' }, (res, path) =>
    res.cookie('name', 'x', { path }).send('x'),
  ),
  ...table('cookie domain with', { ...INJECTED, semicolon: 'a; Secure' }, (res, domain) =>
    res.cookie('name', 'x', { domain }).send('x'),
  ),
  ...table('status', CODES, (res, code) => res.status(any(code)).send('x')),
  ...table('sendStatus', { ...CODES, name: 'constructor' }, (res, code) => res.sendStatus(any(code))),
  ...table('redirect with status', CODES, (res, code) => res.redirect(any(code), '/x')),
  ...Object.entries<Hostile>({
    'statusCode set to 99': (res) => {
      res.statusCode = 99;
      res.send('x');
    },
    'statusMessage with CR LF': (res) => {
      res.statusMessage = `OK${CRLF}`;
      res.send('x');
    },
    'json of a circle': (res) => res.json(circular),
    'json of a BigInt': (res) => res.json({ n: 1n }),
    'json whose toJSON throws': (res) => res.json({ toJSON: () => JSON.parse('{') }),
    'json of a lone surrogate': (res) => res.json('\ud800'),
    'json of markup': (res) => res.json('</script><!--'),
    'json of __proto__': (res) => res.json(JSON.parse('{"__proto__":{"a":1}}')),
    'jsonp with a callback that is code': (res, req) => {
      Object.defineProperty(req, 'query', { value: { callback: 'alert(1);//\u2028<script>' } });
      res.jsonp({ a: '\u2028' });
    },
    'send of a symbol': (res) => res.send(Symbol('x')),
    'send of a function': (res) => res.send(() => 'x'),
    'send of a BigInt': (res) => res.send(1n),
    'send of a circle': (res) => res.send(circular),
    'send of a lone surrogate': (res) => res.send('\ud800'),
    'send after the end': (res) => res.end('x', () => undefined).send('y'),
    'send twice': (res) => res.send('x').send('y'),
    'type that is no text': (res) => res.type(any(7)).send('x'),
    'type that is nothing': (res) => res.type(any(undefined)).send('x'),
    'set without anything': (res) => (res.set as () => Response)().send('x'),
    'set of a symbol': (res) => res.set('X-Value', any(Symbol('x'))).send('x'),
    'set with a name that is nothing': (res) => res.set(any(undefined), 'x').send('x'),
    'set of __proto__': (res) => res.set(JSON.parse('{"__proto__":"x"}')).send('x'),
    'set of two lengths': (res) => res.set('Content-Length', any(['1', '2'])).send('x'),
    'append to a list with CR LF': (res) => res.append('X-List', ['a', `b${CRLF}`]).send('x'),
    'vary with CR LF': (res) => res.vary(`Accept${CRLF}`).send('x'),
    'links with nothing': (res) => res.links(any(undefined)).send('x'),
    'cookie of a circle': (res) => res.cookie('name', circular).send('x'),
    'cookie of a symbol': (res) => res.cookie('name', Symbol('x')).send('x'),
    'cookie with a priority that is none': (res) =>
      res.cookie('name', 'x', { priority: any('x;y') }).send('x'),
    'cookie with sameSite that is none': (res) => res.cookie('name', 'x', { sameSite: any(CRLF) }).send('x'),
    'cookie that expires never': (res) =>
      res.cookie('name', 'x', { expires: new Date(Number.NaN) }).send('x'),
    'cookie signed without a secret': (res) => res.cookie('name', 'x', { signed: true }).send('x'),
    'clearCookie with a name that is none': (res) => res.clearCookie('a;b').send('x'),
    'format of nothing': (res) => res.format({}),
    'attachment that is no text': (res) => res.attachment(any(7)).send('x'),
    'sendFile of a list': (res) => res.sendFile(any(['/etc/passwd'])),
    'sendFile with NUL': (res) => res.sendFile('/etc/passwd\u0000.png'),
    'sendFile of a lone surrogate': (res) => res.sendFile('/\ud800'),
    'sendFile outside its root': (res) => res.sendFile('../../../../etc/passwd', { root: __dirname }),
    'sendFile outside its root, encoded': (res) =>
      res.sendFile('%2e%2e/%2e%2e/etc/passwd', { root: __dirname }),
    'download outside its root': (res) => res.download('../../etc/passwd', 'x.txt', { root: __dirname }),
    'download under a name with CR LF': (res) => res.download(FILE, `a${CRLF}.txt`),
    'render of a view outside': (res) => res.render('../../../../etc/passwd'),
    'render of a name that is no text': (res) => res.render(any({ name: 'x' })),
  }),
]);
