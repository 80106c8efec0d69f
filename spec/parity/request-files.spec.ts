import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseRequests, readRequests } from '../../parity/application/traffic';
import type { Exchange } from '../../parity/client/messages';
import { get } from '../../parity/client/request';
import { temporaryFolder } from '../../parity/temporary-folder';
import { APPLICATIONS, runParity } from '../support/command';

/** What is sent for a text: the method, the target and the body of each request. */
function sent(text: string): string[] {
  return parseRequests(text, 'a.http').map(({ method, target, payload }) =>
    `${method} ${target} ${payload}`.trimEnd(),
  );
}

describe('requests in a text file', () => {
  const JSON_TYPE = 'Content-Type: application/json';
  const forms: ReadonlyArray<readonly [title: string, text: string, expected: readonly string[]]> = [
    ['a byte order mark is read before', '# a comment\nGET /a', ['GET /a']],
    ['no method', 'http://localhost:3000/a\n###\n/b', ['GET /a', 'GET /b']],
    ['a method in lower case', 'get /a\n###\npost /b', ['GET /a', 'POST /b']],
    ['a method that Node.js does not know', 'PUNCH /a', ['PUNCH /a']],
    [
      'versions',
      'GET /a HTTP/2\n###\nGET /b HTTP/1.0\n###\nGET /c HTTP/2 (Prior Knowledge)',
      ['GET /a', 'GET /b', 'GET /c'],
    ],
    ['a URL on several lines', 'GET http://a.test/a\n  ?b=1\n  &c=2\nAccept: */*', ['GET /a?b=1&c=2']],
    [
      'a URL without a scheme',
      'GET localhost:3000/a\n###\nGET localhost:3000\n###\nGET localhost:3000?a',
      ['GET /a', 'GET /', 'GET /?a'],
    ],
    ['spaces and letters in a target', 'GET /a b/ü?q="x"&%zz#part', ['GET /a%20b/%C3%BC?q="x"&%zz']],
    ['a target that is encoded', 'GET /a%20b?q=%22', ['GET /a%20b?q=%22']],
    ['the server', 'OPTIONS *', ['OPTIONS *']],
    ['no separator', 'GET /a\nAccept: */*\n\n# a comment\n\nGET /b', ['GET /a', 'GET /b']],
    ['a type without a body', `GET /a\n${JSON_TYPE}\n\nGET /b`, ['GET /a', 'GET /b']],
    ['a body without a type', 'POST /a\n\n{"a":1}\n\n###\nGET /b', ['POST /a {"a":1}', 'GET /b']],
    ['empty lines in and around a body', 'POST /a\n\n\n\none\n\ntwo\n\n\n###', ['POST /a one\n\ntwo']],
    ['CRLF', 'POST /a\r\nContent-Type: text/plain\r\n\r\none\r\ntwo\r\n\r\n###\r\n', ['POST /a one\ntwo']],
    [
      'comments in JSON',
      `POST /a\n${JSON_TYPE}\n\n{\n# one\n"a":1 // kept\n  // two\n}`,
      ['POST /a {\n"a":1 // kept\n}'],
    ],
    [
      'a script after the response',
      `POST /a\n\n{"a":1}\n\n> {% client.test("GET /x", () => {}) %}\n\n###\nGET /b`,
      ['POST /a {"a":1}', 'GET /b'],
    ],
    ['a script without a body', 'GET /a\n\n> {%\n  GET /x\n%}\n\nGET /b', ['GET /a', 'GET /b']],
    [
      'where the response is saved',
      'GET /a\n\n>> out.json\n\n###\nGET /b\n\n<> old.json',
      ['GET /a', 'GET /b'],
    ],
    [
      'variables of the file, in any order',
      'GET {{base}}/{{ id }}\n\n@base = http://a.test/{{v}}\n@v = 1\n@id=7',
      ['GET /1/7'],
    ],
    ['a variable with two values', '@id = 1\nGET /{{id}}\n\n@id = 2\nGET /{{id}}', ['GET /1', 'GET /2']],
  ];
  for (const [title, text, expected] of forms)
    it(`may have ${title}`, () => {
      expect(sent(text)).to.deep.equal(expected);
    });

  const refused: ReadonlyArray<readonly [text: string, message: string]> = [
    ['hello', '1: expected a request line such as "GET /path", got "hello"'],
    ['GET /a\n\n### b\n\nsome text', '5: expected a request line such as "GET /path", got "some text"'],
    [
      'GET /a\nno header',
      '2: expected a header such as "Accept: */*", or an empty line before the body, got "no header"',
    ],
    ['POST /a\n\n{"a":1}\n\nGET /b', '5: expected "###" before the next request, got "GET /b"'],
    [
      'POST /a\nContent-Type: text/markdown\n\n# Title\n\n###',
      '4: expected no line that begins with "#" or "//" in this body',
    ],
    [
      'POST /a\nContent-Type: text/plain\n\none\n// two',
      '5: expected no line that begins with "#" or "//" in this body',
    ],
    ['GET /{{id}}', '1: unknown variable {{id}}; define it with "@name = value"'],
    ['POST /a\n\n{"a": {{b.c}} }', '3: unknown variable {{b.c}}'],
    ['GET /{{$unknown}}', '1: unknown variable {{$unknown}}'],
    ['GET /{{$datetime "DD-MM"}}', '1: unknown variable {{$datetime "DD-MM"}}'],
    ['@a = {{b}}\n@b = {{a}}\nGET /{{a}}', '3: {{'],
    [
      'GET /{{login.response.body.id}}\n###\n# @name login\nGET /login',
      '1: {{login.response.body.id}}: expected a request "login" before this one',
    ],
    [
      '# @name a\nGET /a\n###\nGET /{{a.response.body.$..id}}',
      '4: {{a.response.body.$..id}}: expected members and indices',
    ],
    [
      '# @prompt password\nPOST /a',
      '1: expected a value for "password": replace @prompt with "@password = value"',
    ],
    ['POST /a\n\n< ./missing.json', '3: expected a file that can be read'],
    ['< {% request.variables.set("a", 1) %}\nGET /', '1: expected no script before a request'],
    ['WEBSOCKET ws://a.test/', '1: WebSockets are not compared'],
    ['GRPC a.test/Service', '1: gRPC is not compared'],
    ['import other.http', '1: pass the imported file, too'],
    ['curl https://a.test', '1: write the request of this curl command as "POST /path"'],
    ['GET ftp://a.test/', '1: expected a request line such as "GET /path", got "GET ftp://a.test/"'],
    ['GET /\nAuthorization: Digest ann secret', '1: Authorization: expected a complete value'],
    ['GET /\n\n> {% one', '3: expected "%}" after the script'],
    ['POST /\nX-Request-Type: GraphQL\n\n{ a }\n\n{"b"', '6: expected the variables of the query in JSON'],
  ];
  for (const [text, message] of refused)
    it(`is refused with its line: ${JSON.stringify(text.slice(0, 50))}`, () => {
      expect(() => parseRequests(text, 'a.http'))
        .to.throw(TypeError)
        .with.property('message')
        .that.satisfies((text: string) => text.startsWith(`a.http:${message}`));
    });

  it('sends the host of a URL, and leaves out other hosts', () => {
    const folder = temporaryFolder('hosts');
    const file = join(folder, 'a.http');
    writeFileSync(
      file,
      'GET http://a.test/1\n###\nGET https://b.test/2\n###\nGET https://a.test/3\n###\nGET /4\n',
    );
    const { requests, leftOut } = readRequests(file);
    const other = readRequests(file, { origin: 'https://b.test' });

    expect(requests.map(({ target, headers }) => [target, headers[0]?.[1]])).to.deep.equal([
      ['/1', 'a.test'],
      ['/3', 'a.test'],
      ['/4', 'parity.test'],
    ]);
    expect(leftOut).to.deep.equal([{ why: 'other origin', what: 'GET https://b.test/2' }]);
    expect(other.requests.map(({ target }) => target)).to.deep.equal(['/2', '/4']);
  });

  it('generates values that stay the same in each run, and are not in the id', () => {
    const [one, two] = parseRequests(
      'GET /{{$guid}}/{{$randomInt 5 6}}/{{$timestamp -1 d}}\n###\n# @name a\nGET /{{$uuid}}/{{$isoTimestamp}}',
      'a.http',
    );

    expect(one?.target).to.match(/^\/[\da-f-]{36}\/5\/\d{10}$/);
    expect(two?.target).to.match(/^\/[\da-f-]{36}\/20\d\d-/);
    expect(one?.id).to.equal('GET /{{$guid}}/{{$randomInt%205%206}}/{{$timestamp%20-1%20d}}');
  });

  it('reads parts of responses when it is played, or says what the response lacks', () => {
    const [, second] = parseRequests(
      '# @name login\nPOST /login\n###\nGET /me?t={{login.response.body.a[0].b}}',
      'a.http',
    );
    const exchange = (status: number, body: string): Exchange => ({
      request: get('/'),
      connection: 1,
      outcome: 'kept',
      header: () => undefined,
      response: { status, body: Buffer.from(body) },
    });

    expect(second?.id).to.equal('GET /me?t={{login.response.body.a[0].b}}');
    expect(second?.fill?.([exchange(200, '{"a":[{"b":"x y"}]}')]).target).to.equal('/me?t=x%20y');
    expect(() => second?.fill?.([exchange(401, '{"a":[]}')])).to.throw(
      'a.http:4: {{login.response.body.a[0].b}}: expected this value in the response of POST /login, got status 401 without it',
    );
  });

  it('has the variables of the selected environment, of files beside it or above', () => {
    const folder = temporaryFolder('environments');
    const below = join(folder, 'requests');
    const file = join(below, 'a.http');
    mkdirSync(below);
    writeFileSync(
      join(folder, 'http-client.env.json'),
      '{"$shared":{"a":"s","b":"s"},"dev":{"b":"d","n":1},"prod":{"b":"p"}}',
    );
    writeFileSync(file, 'GET /{{a}}/{{b}}/{{n}}\n');

    expect(readRequests(file, { environment: 'dev' }).requests[0]?.target).to.equal('/s/d/1');
    expect(() => readRequests(file, { environment: 'prod' })).to.throw('a.http:1: unknown variable {{n}}');
    expect(() => readRequests(file)).to.throw(
      'a.http:1: unknown variable {{n}}; define it with "@name = value", or pass --env dev or --env prod',
    );
    expect(() => readRequests(file, { environment: 'test' })).to.throw(/^--env test: .* has dev, prod$/);
  });

  it('is played by the command, with --env', async () => {
    const folder = temporaryFolder('played');
    const file = join(folder, 'a.http');
    writeFileSync(join(folder, 'http-client.env.json'), '{"one":{"path":"same"},"two":{"path":"late"}}');
    writeFileSync(file, 'GET /{{path}}\n');
    const run = (env: string) =>
      runParity(['changed.js', '--requests', file, '--list', '--env', env], { cwd: APPLICATIONS });

    expect((await run('one')).output).to.include('changed.js: GET /same\n');
    expect((await run('two')).output).to.include('changed.js: GET /late\n');
  });
});

describe('a collection of Postman', () => {
  const item = (request: object, more: object = {}): object => ({ name: 'One', request, ...more });
  const read = (...items: object[]): ReturnType<typeof readRequests>['requests'] => {
    const file = join(temporaryFolder('postman'), 'shop.json');
    writeFileSync(file, JSON.stringify({ info: { name: 'Shop' }, item: [{ name: 'Orders', item: items }] }));
    return readRequests(file).requests;
  };

  it('keeps the body of a GET only if the item says so, and the type that a header gives', () => {
    const body = { mode: 'raw', raw: '<a/>', options: { raw: { language: 'xml' } } };
    const header = [{ key: 'content-type', value: 'text/xml' }];
    const requests = read(
      item({ method: 'GET', url: 'http://a.test/1', body }),
      item(
        { method: 'GET', url: 'http://a.test/2', body },
        { protocolProfileBehavior: { disableBodyPruning: true } },
      ),
      item({ method: 'POST', url: 'http://a.test/3', body, header }),
      { name: 'short', request: 'http://a.test/4' },
    );

    expect(requests.map(({ target, payload }) => target + payload)).to.deep.equal([
      '/1',
      '/2<a/>',
      '/3<a/>',
      '/4',
    ]);
    expect(requests.map(({ headers }) => headers.slice(1))).to.deep.equal([
      [],
      [
        ['Content-Type', 'application/xml'],
        ['Content-Length', '4'],
      ],
      [
        ['content-type', 'text/xml'],
        ['Content-Length', '4'],
      ],
      [],
    ]);
  });

  const refused: ReadonlyArray<readonly [one: object, message: RegExp]> = [
    [
      item({ url: 'http://a.test/{{id}}' }),
      /"Orders" › "One": unknown variable \{\{id\}\}; pass an exported environment with --env/,
    ],
    [
      item({ url: 'http://a.test', auth: { type: 'oauth2' } }),
      /"One": expected no authorization, or bearer, basic or apikey, got "oauth2"/,
    ],
    [
      item({ url: 'http://a.test', method: 'POST', body: { mode: 'new' } }),
      /"One": expected a body of mode raw, .*, got "new"$/,
    ],
    [
      item({
        url: 'http://a.test',
        method: 'POST',
        body: { mode: 'formdata', formdata: [{ key: 'f', type: 'file', src: null }] },
      }),
      /"One": expected the path of a file for "f", got null$/,
    ],
    [item({ url: 'ftp://a.test' }), /"One": expected a path or an http URL, got "ftp:/],
    [item({}), /"One": expected a URL, got nothing$/],
    [{ name: 'Empty' }, /"Empty": expected a request, got nothing$/],
    [
      item(
        { url: 'http://a.test' },
        { event: [{ listen: 'prerequest', script: { exec: ['pm.environment.set("a", 1);'] } }] },
      ),
      /"One": expected no script before a request, because scripts are not run, got "pm\.environment/,
    ],
  ];
  for (const [one, message] of refused)
    it(`is refused with the name of the item: ${String(message)}`, () => {
      expect(() => read(one)).to.throw(TypeError, message);
    });

  it('needs a collection', () => {
    const file = join(temporaryFolder('postman'), 'a.json');
    writeFileSync(file, '{"log":{}}');

    expect(() => readRequests(file)).to.throw(
      'a.json: expected a collection of Postman, version 2.1, or a .http file; a HAR file needs --har',
    );
  });
});
