/** Applications of Express, each mounted in applications of this package. §9.1 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { muteDeprecations } from '../support/both';
import { loadExpress3 } from '../support/express3-original';

// biome-ignore lint/suspicious/noExplicitAny: the interfaces of the series differ
type Any = any;

/** How applications are created, by name and series. */
const EXPRESS: Record<number, () => Any> = {
  3: loadExpress3() as () => Any,
  4: require('express4'),
  5: require('express'),
};
const OWN: Record<number, () => Any> = {
  3: require('nozomi/3'),
  4: require('nozomi/4'),
  5: require('nozomi'),
};

/** Creates an application with another one mounted at `/at`. @returns The responses to some requests. */
async function play(createOuter: () => Any, createInner: () => Any): Promise<Array<[path: string, ...Any]>> {
  const [parent, child] = [createOuter(), createInner()];
  const told: boolean[] = [];
  child.on('mount', (given: unknown) => told.push(given === parent));
  child.use((_req: Any, res: Any, next: () => void) => {
    res.locals.seen = true;
    next();
  });
  child.get('/read/:id', (req: Any, res: Any) => {
    const { query, params, url, originalUrl, xhr } = req;
    const { user } = res.locals;
    const isOwn = req.app === child;
    const name = child.get('name');
    res.json({ query, id: params.id, url, originalUrl, xhr, user, isOwn, name, told });
  });
  child.get('/cookie', (_req: Any, res: Any) => res.cookie('a', 'b').send('sent'));
  child.get('/fails', (_req: Any, _res: Any, next: (err: unknown) => void) => next(new Error('failed')));
  parent.set('name', 'parent');
  parent.use((_req: Any, res: Any, next: () => void) => {
    res.locals.user = 'Ada';
    next();
  });
  parent.use('/at', child);
  parent.get('/at/after', (req: Any, res: Any) => {
    const { query, url } = req;
    const { user, seen } = res.locals;
    res.json({ query, url, user, seen, isOwn: req.app === parent, locals: typeof res.locals });
  });
  parent.use((err: Error, _req: Any, res: Any, _next: unknown) => res.end(`caught ${err.message}`));

  const server = http.createServer(parent).listen(0, '127.0.0.1');
  const seen: Array<[path: string, ...Any]> = [];
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  for (const path of ['/read/7?a[b]=1', '/cookie', '/fails', '/after?x=1', '/none']) {
    const { status, headers, ...response } = await ask(`http://127.0.0.1:${port}/at${path}`);
    seen.push([path, status, headers.get('Set-Cookie'), headers.get('ETag'), response.text]);
  }
  server.closeAllConnections();
  server.close();
  return seen;
}

async function ask(url: string): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('an application of Express behaves as in Express', () => {
  muteDeprecations();

  for (const [outer, inner] of [
    [3, 3],
    [4, 4],
    [5, 3],
    [5, 4],
    [5, 5],
  ] as const)
    it(`that of Express ${inner} in one of this package for Express ${outer}`, async () => {
      const [own, reference] = [OWN[outer], EXPRESS[outer]] as [() => Any, () => Any];
      const child = EXPRESS[inner] as () => Any;
      expect(await play(own, child)).to.deep.equal(await play(reference, child));
    });
});

describe('a mounted application of the series 4', () => {
  muteDeprecations();

  for (const [name, outer, inner] of [
    ['Express 4 in nozomi/3', OWN[3], EXPRESS[4]],
    ['nozomi/4 in nozomi', OWN[5], OWN[4]],
    ['nozomi/4 in Express 5', EXPRESS[5], OWN[4]],
  ] as Array<[string, () => Any, () => Any]>)
    it(`parses nested queries: ${name}`, async () => {
      const [[, status, , , body] = []] = await play(outer, inner);
      expect([status, JSON.parse(body).query]).to.deep.equal([200, { a: { b: '1' } }]);
    });
});
