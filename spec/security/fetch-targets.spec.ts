/**
 * The path that a fetch handler sees through `fromFetch`. It parses a URL, so it is a second parser beside the router.
 *
 *   FETCH_TARGETS=24000 npx mocha spec/security/fetch-targets.spec.ts --reporter spec
 */
import { createServer } from 'node:http';
import { connect } from 'node:http2';
import { posix } from 'node:path';
import { expect } from 'chai';
import { assert, constantFrom, property, tuple } from 'fast-check';
import framework from 'nozomi';
import framework3 from 'nozomi/3';
import framework4 from 'nozomi/4';
import { fromFetch } from 'nozomi/fetch';
import { createServer as createHttp2Server } from 'nozomi/http2';
import { playSteps } from '../../parity/client/exchange';
import { raw } from '../../parity/client/request';
import type { Framework } from '../support/both';
import { PATIENCE } from '../support/play';
import { close, portOf, serverOf, serving } from '../support/serve';
import { NAMES, normalOf, targetsOf } from './spelling';

const nozomi = framework as unknown as Framework;
type App = ReturnType<Framework>;

const TARGETS = Number(process.env.FETCH_TARGETS ?? 1200);
const SECRET = 'the guarded response';

// biome-ignore format: a table
const LIES: readonly string[] = [
  'h/admin/s?', 'h/admin/s#', 'h/admin', 'h\\admin\\s?', 'h/', 'h?', 'h#', 'h\\',
  'u@h', 'u:p@h', 'h@', 'h:80/admin', 'h:99999', 'h:a', '[::1', '[h]', 'a b', '%61', '/admin/s', '?',
];
const NAMED: readonly string[] = ['h', 'H:8080', 'a.example.com.', 'a_b', '127.0.0.1:1', '[::1]:80', ''];

describe('the path that a fetch handler sees through fromFetch', () => {
  const show = () => fromFetch((request) => new Response(new URL(request.url).pathname));

  for (const [series, implementation] of [
    ['nozomi', framework],
    ['nozomi/4', framework4],
    ['nozomi/3', framework3],
  ] as const) {
    const build = () =>
      (implementation as unknown as Framework)().set('env', 'test').enable('trust proxy').use(show());

    it(`is the path of the target for each valid Host, and the others get 400 (${series})`, async () => {
      for (const header of ['Host', 'Host: h\r\nX-Forwarded-Host']) {
        const ask = (list: readonly string[]) =>
          seenBy(
            build(),
            list.map((host) => ['/x', `${header}: ${host}`]),
          );
        expect(await ask(LIES)).to.deep.equal(LIES.map(() => 400));
        expect(await ask(NAMED)).to.deep.equal(NAMED.map(() => '/x'));
      }
    });

    it(`does not depend on X-Forwarded-Proto, which must be http or https (${series})`, async () => {
      const ask = (protocol: string) =>
        seenBy(build(), [['/x', `Host: h\r\nX-Forwarded-Proto: ${protocol}`]]);

      for (const lie of ['http://h/admin/s?', 'http:', 'javascript', 'file', 'x/'])
        expect(await ask(lie), lie).to.deep.equal([400]);
      for (const protocol of ['http', 'HTTPS', 'https, http'])
        expect(await ask(protocol), protocol).to.deep.equal(['/x']);
    });
  }

  it('is the path of a target in absolute form with a valid host, and the others get 400 or 404', async () => {
    const lies = ['http:///x/admin/s', 'http://u@h/x', 'http://h:80:80/x', 'http://h:99999/x', 'foo://h/x'];
    const targets = ['http://b/x', 'HTTP://b:80/x?/../y', 'https://b/x'];
    const ask = (list: readonly string[]) =>
      seenBy(
        nozomi().set('env', 'test').use(show()),
        list.map((target) => [target, 'Host: h']),
      );

    // Since Node.js 26, `url.parse` throws for the two ports, so that no route matches, as in Express.
    for (const seen of await ask(lies)) expect(seen).to.be.oneOf([400, 404]);
    expect(await ask(targets)).to.deep.equal(targets.map(() => '/x'));
  });

  it('stays below the mount path, also with stripMountPath', async () => {
    for (const stripMountPath of [true, false]) {
      const app = nozomi().set('env', 'test');
      app.use(
        '/api',
        fromFetch((request) => new Response(new URL(request.url).pathname), { stripMountPath }),
      );
      expect(
        await seenBy(app, [
          ['/api/x', 'Host: h/admin/s?'],
          ['/api/x', 'Host: h'],
        ]),
      ).to.deep.equal([400, stripMountPath ? '/x' : '/api/x']);
    }
  });

  it('is checked on a server of node:http and over HTTP/2 too', async () => {
    const handle = show();
    const plain = createServer((req, res) => {
      handle(req, res, (err) => {
        res.statusCode = (err as { status: number }).status;
        res.end();
      });
    });
    const asked = ['Host: h/admin/s?', 'Host: h'].map((header) => ['/x', header] as const);
    expect(await serving(plain, (port) => seenAt(port, asked))).to.deep.equal([400, '/x']);

    const server = await serverOf(
      createHttp2Server({ cleartext: true }, nozomi().set('env', 'test').use(show())),
    );
    const client = connect(`http://127.0.0.1:${portOf(server)}`);
    try {
      const statusOf = (authority: string) =>
        new Promise((resolve, reject) => {
          const request = client.request({ ':path': '/x', ':authority': authority });
          request.on('response', (headers) => resolve(headers[':status'])).on('error', reject);
          request.resume().end();
        });
      // Node.js 22 closes the stream of an authority with `@` itself.
      expect(await statusOf('h:99999')).to.equal(400);
      expect(await statusOf('h')).to.equal(200);
    } finally {
      client.close();
      await close(server);
    }
  });

  it('does not exist for OPTIONS *, which goes to the next middleware', async () => {
    const app = nozomi()
      .use(show())
      .use((_req, res) => void res.send('next'));

    expect(await seenBy(app, [['*', 'Host: h']], 'OPTIONS')).to.deep.equal(['next']);
  });
});

describe('a guard before fromFetch, with strict paths', () => {
  for (const value of [true, 'normalize']) {
    it(`set to ${value}, lets none of ${TARGETS / 2} mutated targets and hosts bypass it`, async () => {
      let served = 0;
      let refused = 0;
      for (const name of NAMES) {
        const guarded = `/${normalOf(name)}`;
        const app = nozomi().set('env', 'test').set('strict paths', value).enable('trust proxy');
        app.use(
          guarded.replace(/[{}()[\]+?!:*\\]/g, '\\$&'),
          (_req, res) => void res.status(401).send('denied'),
        );
        app.use(fromFetch((request) => new Response(readsAs(request.url, `/${name}/s`) ? SECRET : 'open')));

        const asked = sampleOf(name, Math.ceil(TARGETS / 2 / NAMES.length));
        const seen = await seenBy(app, asked);
        for (const [index, one] of seen.entries()) {
          expect(one, JSON.stringify(asked[index])).to.not.equal(SECRET);
          if (one === 'open') served++;
          else refused++;
        }
      }
      expect(served + refused).to.be.at.least(TARGETS / 2);
      expect(served, 'the sample reaches the fetch handler too').to.be.above(0);
    });
  }

  it('is bypassed by the same sample without strict paths, so that the sample can find a bypass', async () => {
    const app = nozomi()
      .set('env', 'test')
      .use('/admin', (_req, res) => void res.status(401).send('denied'));
    app.use(fromFetch((request) => new Response(readsAs(request.url, '/admin/s') ? SECRET : 'open')));

    expect(await seenBy(app, sampleOf('admin', 200))).to.include(SECRET);
  });
});

/** Converts A to Z to lower case, as the router compares escaped paths. */
function foldCase(path: string): string {
  return path.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Whether a lenient reader takes the path of a URL for `path`: it decodes it, and joins slashes and dots. */
function readsAs(url: string, path: string): boolean {
  try {
    const decoded = decodeURIComponent(new URL(url).pathname).replaceAll('\\', '/');
    return foldCase(posix.normalize(decoded).replace(/^\/+/, '/')) === foldCase(path);
  } catch {
    return false;
  }
}

/** @returns Targets and header lines. Some name the guarded path in the target, the others in a header. */
function sampleOf(name: string, count: number): Array<[target: string, headers: string]> {
  const asked: Array<[string, string]> = [];
  const hosts = targetsOf([name, 's']).map((target) => `h${target}`);
  const start = constantFrom(
    'Host: ',
    'Host: h\r\nX-Forwarded-Host: ',
    'Host: h\r\nX-Forwarded-Proto: http://',
  );
  assert(
    property(
      targetsOf([name, 's']),
      tuple(start, hosts),
      constantFrom(0, 1),
      (target, [header, host], kind) => {
        asked.push(kind === 0 ? [target, 'Host: h'] : ['/x', `${header}${host}`]);
      },
    ),
    { numRuns: count },
  );
  return asked;
}

type Asked = readonly [target: string, headers: string];

/** @returns The body of each response with status 200, or else the status. */
async function seenBy(app: App, asked: readonly Asked[], method = 'GET'): Promise<Array<string | number>> {
  return serving(createServer(app), (port) => seenAt(port, asked, method));
}

async function seenAt(
  port: number,
  asked: readonly Asked[],
  method = 'GET',
): Promise<Array<string | number>> {
  const steps = asked.map(([target, headers]) =>
    raw(Buffer.from(`${method} ${target} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`, 'latin1')),
  );
  const exchanges = await playSteps(steps, { port, patience: PATIENCE });
  return exchanges.map(({ response }) =>
    response.status === 200 ? `${response.body}` : Number(response.status),
  );
}
