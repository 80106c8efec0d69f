import { createServer, type RequestListener } from 'node:http';
import { expect } from 'chai';
import express, { type RequestHandler } from 'express';
import { assert, asyncProperty, constantFrom, property } from 'fast-check';
import framework from 'nozomi';
import request from 'supertest';
import { playSteps } from '../../parity/client/exchange';
import { raw } from '../../parity/client/request';
import type { Framework } from '../support/both';
import { leastCost } from '../support/cost';
import { filesOf } from '../support/files';
import { inside } from '../support/inside';
import { PATIENCE } from '../support/play';
import { serving } from '../support/serve';
import { anyPath, NAMES, normalOf, targetsOf } from './spelling';

const { normalizePath } = inside<typeof import('../../src/http/path')>('http/path');

const SECRET = 'the guarded file';
const nozomi = framework as unknown as Framework;
const deny: RequestHandler = (_req, res) => void res.status(401).send('denied');

/** Typical ways to guard a file. `base` has the segments of the path at which the files are served. */
const GUARDS: Readonly<
  Record<
    string,
    { base: string[]; build: (implementation: Framework, name: string, root: string) => Application }
  >
> = {
  'app.use before static': {
    base: [],
    build: (implementation, name, root) =>
      implementation()
        .use(`/${patternOf(name)}`, deny)
        .use(implementation.static(root)),
  },
  'app.all with a wildcard before static': {
    base: [],
    build: (implementation, name, root) =>
      implementation()
        .all(`/${patternOf(name)}/*rest`, deny)
        .use(implementation.static(root)),
  },
  'a list of paths before a mounted static': {
    base: ['files'],
    build: (implementation, name, root) =>
      implementation()
        .use(['/other', `/files/${patternOf(name)}`], deny)
        .use('/files', implementation.static(root)),
  },
  'a router with a guard and static of its own': {
    base: ['site', 'deep'],
    build(implementation, name, root) {
      const inner = implementation.Router({ caseSensitive: true, strict: true });
      inner.use(`/${patternOf(name)}`, deny).use(implementation.static(root));
      return implementation().use('/site', implementation.Router().use('/deep', inner));
    },
  },
  'a sub-application with a guard, static above it': {
    base: ['site'],
    build: (implementation, name, root) =>
      implementation().use(
        '/site',
        implementation().use(`/${patternOf(name)}`, deny),
        implementation.static(root),
      ),
  },
  'an application with case sensitive and strict routing': {
    base: [],
    build: (implementation, name, root) =>
      implementation()
        .enable('case sensitive routing')
        .enable('strict routing')
        .use(`/${patternOf(name)}`, deny)
        .use(implementation.static(root, { dotfiles: 'allow' })),
  },
};

type Application = ReturnType<Framework>;

describe('the setting strict paths', () => {
  const files = filesOf(
    Object.fromEntries([...NAMES.map((name) => [`${name}/s`, SECRET]), ['open/o.txt', 'open']]),
  );

  proves('CVE-2026-22037 CVE-2026-29087');
  describe('a guard before static files', () => {
    // The expected status for each spelling. 200 means that the spelling bypasses the guard.
    const spellings: Readonly<Record<string, number>> = {
      '/admin/s': 401,
      '/ADMIN/s': 401,
      '/admin//s': 401,
      'http://h/admin/s': 401,
      '/admin%5Cs': 404,
      '/;/admin/s': 404,
      '/%61dmin/s': 200,
      '//admin/s': 200,
      '/admin%2Fs': 200,
      '/./admin/s': 200,
      '/x/../admin/s': 200,
      '/x/%2e%2e/admin/s': 200,
      '/%2fadmin/s': 200,
    };
    for (const [target, status] of Object.entries(spellings)) {
      it(`without the setting responds ${status} to ${target}, as in Express`, async () => {
        for (const implementation of [express, nozomi]) {
          expect(
            await statusOf(implementation().use('/admin', deny).use(implementation.static(files)), target),
          ).to.equal(status);
        }
      });

      it(`with the setting protects ${target}`, async () => {
        const build = (value: unknown) =>
          nozomi()
            .set('env', 'test')
            .set('strict paths', value)
            .use('/admin', deny)
            .use(nozomi.static(files));
        const isPlain = /^(\/|http:\/\/h\/)admin\/s$/i.test(target);

        expect(await statusOf(build(true), target)).to.equal(
          isPlain ? 401 : target === '/;/admin/s' ? 404 : 400,
        );
        expect(await statusOf(build('normalize'), target)).to.be.oneOf([400, 401, 404]);
      });
    }
  });

  for (const value of [true, 'normalize']) {
    describe(`set to ${value}`, () => {
      for (const [where, { base, build }] of Object.entries(GUARDS)) {
        it(`lets no spelling of a path bypass ${where}`, async () => {
          await assert(
            asyncProperty(constantFrom(...NAMES), async (name) => {
              const app = build(nozomi, name, files).set('env', 'test').set('strict paths', value);
              const seen = await bodiesOf(app, sampleOf([...base, name, 's'], 25));
              for (const [target, body] of seen) {
                if (body.includes(SECRET)) throw new Error(`${JSON.stringify(target)} passed`);
              }
            }),
            { numRuns: 12 },
          );
        });
      }

      it('serves files without a guard, and keeps the query', async () => {
        const app = framework().set('strict paths', value);
        app.get('/q/:name', (req, res) => res.json([req.params.name, req.url, req.query.x]));
        app.use(framework.static(files));

        await request(app).get('/open/o.txt').expect(200, 'open');
        await request(app)
          .get('/q/a%20b?x=//%2e%2e/%61')
          .expect(200, ['a b', '/q/a%20b?x=//%2e%2e/%61', '//../a']);
      });
    });
  }

  it('has as its default false, with which the same spellings bypass guards as in Express', async () => {
    let passed = 0;
    for (const { base, build } of Object.values(GUARDS)) {
      const targets = sampleOf([...base, 'admin', 's'], 150);
      const [theirs, ours] = await Promise.all(
        [express, nozomi].map(async (implementation) => {
          const seen = await bodiesOf(build(implementation, 'admin', files).set('env', 'test'), targets);
          return seen.filter(([, body]) => body.includes(SECRET)).map(([target]) => target);
        }),
      );
      expect(ours).to.deep.equal(theirs);
      passed += ours?.length ?? 0;
    }
    expect(passed).to.be.above(10);
  });

  it('converts request targets in absolute form to origin form, without a second escape', async () => {
    for (const value of [true, 'normalize']) {
      const app = framework().set('env', 'test').set('strict paths', value);
      app.use("/o'clock", (req, res) => res.send(req.originalUrl));

      expect(await bodiesOf(app, ["http://h/o'clock/s?a", "/o'clock?b"])).to.deep.equal([
        ["http://h/o'clock/s?a", "/o'clock/s?a"],
        ["/o'clock?b", "/o'clock?b"],
      ]);
      expect(await statusOf(app, "/o'clock/s?#")).to.equal(400);
      expect(await statusOf(app, "http://u@h/o'clock/s")).to.equal(400);
      expect(await statusOf(app, "ftp://h/o'clock/s")).to.equal(400);
      expect(await statusOf(app, 'http://h?without-a-path')).to.equal(404);
    }
  });

  it('with true passes an error with status and type to the error handlers of the parent', async () => {
    const seen: unknown[] = [];
    const guarded = framework().enable('strict paths');
    const app = framework().use(guarded);
    app.use(((err, _req, res, _next) => {
      seen.push(err.status, err.type, err.expose);
      res.status(err.status).json({ error: err.message });
    }) as express.ErrorRequestHandler);

    await request(app).get('/%61').expect(400, { error: 'Ambiguous path' });
    expect(seen).to.deep.equal([400, 'path.ambiguous', true]);
  });

  it('with normalize sets req.url and req.originalUrl to one spelling', async () => {
    const app = framework().set('strict paths', 'normalize');
    app.use((req, res) => res.json([req.url, req.originalUrl, req.path]));

    await request(app)
      .get('/x/..//%61%7e%c3%a9/./b?%61')
      .expect(200, Array(2).fill('/a~%C3%A9/b?%61').concat('/a~%C3%A9/b'));
    for (const target of ['/a%2Fb', '/a%5cb', '/a\\b', '/%', '/%ff', '/%00', '/a#b', '/a?b#c']) {
      expect(await statusOf(app.set('env', 'test'), target), target).to.equal(400);
    }
  });

  it('is inherited by sub-applications, and can be set on a sub-application only', async () => {
    const response: RequestHandler = (req, res) => void res.send(req.url);
    const inheriting = framework().use(response);
    const strict = framework().enable('strict paths').use(response);
    const app = framework().set('env', 'test').use('/strict', strict).use('/plain', inheriting);

    expect(await statusOf(app, '/strict//a')).to.equal(400);
    expect(await statusOf(app, '/plain//a')).to.equal(200);
    expect(await statusOf(app.enable('strict paths'), '/plain//a')).to.equal(400);
    expect(inheriting.enabled('strict paths')).to.equal(true);
  });

  it('cannot be set to an unknown value, and keeps its value', () => {
    const app = framework().enable('strict paths');
    for (const value of ['reject', 1, null, undefined]) {
      expect(() => app.set('strict paths', value as unknown)).to.throw(
        TypeError,
        'unknown value for strict paths',
      );
      expect(app.get('strict paths')).to.equal(true);
    }
    expect(framework().disable('strict paths').get('strict paths fn')).to.equal(undefined);
  });

  it('does not change a request OPTIONS *', async () => {
    const app = framework()
      .enable('strict paths')
      .use((_req, res) => res.send('star'));

    expect(await bodiesOf(app, ['OPTIONS *'])).to.deep.equal([['OPTIONS *', 'star']]);
  });
});

describe('the normal form of a path, for strict paths', () => {
  it('has itself as normal form', () => {
    assert(
      property(anyPath, (path) => {
        const normal = normalizePath(path);
        return normal === undefined || normalizePath(normal) === normal;
      }),
    );
  });

  it('consists of the decoded segments, each encoded once', () => {
    assert(
      property(anyPath, (path) => {
        const normal = normalizePath(path);
        if (normal === undefined) return true;
        const segments = normal.slice(1).split('/');
        return segments.every(
          (segment, index) =>
            normalOf(decodeURIComponent(segment)) === segment &&
            segment !== '.' &&
            segment !== '..' &&
            (segment !== '' || index === segments.length - 1),
        );
      }),
    );
  });

  it('takes linear time for a path of 64 kB', () => {
    for (const piece of ['/', '/.', '/..', '%61', 'a', '/a/..', '%', '\u00e9', ';', '.', '/.a']) {
      const cost = (kB: number, bound: number): number =>
        leastCost(() => normalizePath(`/${piece.repeat((kB * 1024) / piece.length)}`), bound);
      const bound = Math.max(20, 40 * cost(8, 0));
      expect(cost(64, bound), piece).to.be.below(bound);
    }
  });
});

function sampleOf(segments: readonly string[], count: number): string[] {
  const targets: string[] = [];
  assert(
    property(targetsOf(segments), (target) => {
      targets.push(target);
    }),
    { numRuns: count },
  );
  return targets;
}

/** @returns A name as a pattern: in normal form, with special characters escaped. */
function patternOf(name: string): string {
  return normalOf(name).replace(/[{}()[\]+?!:*\\]/g, '\\$&');
}

async function statusOf(app: RequestListener, target: string): Promise<number | undefined> {
  const [exchange] = await exchangesOf(app, [target]);
  return exchange?.response.status;
}

async function bodiesOf(app: RequestListener, targets: readonly string[]): Promise<Array<[string, string]>> {
  const exchanges = await exchangesOf(app, targets);
  return exchanges.map(({ response }, index) => [targets[index] as string, `${response.body ?? ''}`]);
}

/** Sends GET for each target, on its own connection. A target that begins with `OPTIONS ` is sent with that method. */
async function exchangesOf(app: RequestListener, targets: readonly string[]) {
  return serving(createServer(app), (port) => {
    const steps = targets.map((target) => {
      const line = target.startsWith('OPTIONS ') ? target : `GET ${target}`;
      return raw(Buffer.from(`${line} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`, 'latin1'));
    });
    return playSteps(steps, { port, patience: PATIENCE });
  });
}
