/** Causes errors and warnings that have codes, and compares the codes in the sources with docs/errors.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import express from 'nozomi';
import { fromFetch, toFetch } from 'nozomi/fetch';
import { createServer as createHttp2Server } from 'nozomi/http2';
import logger from 'nozomi/logger';
import request from 'supertest';
import { ROOT } from '../support/code-blocks';
import { heardDuring } from '../support/heard';

/**
 * @returns The codes in the sources, without names of environment variables. docs/routes-and-doctor.md lists the codes of
 *   `nozomi-parity doctor`, so they are excluded.
 */
function codesInSources(): string[] {
  const sources = ['src', 'parity'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/inspect.findings/.test(file))
      .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
  );
  const codes = sources.flatMap((text) =>
    [...text.matchAll(/(?<!_VARIABLE = )'(NOZOMI_[A-Z0-9_]+)'/g)].map(([, code]) => code ?? ''),
  );
  return [...new Set(codes)].sort();
}

function rows(): string[][] {
  const page = readFileSync(join(ROOT, 'docs', 'errors.md'), 'utf8');
  return [...page.matchAll(/^\| `(NOZOMI_\w+)` \| (.+) \| (.+) \| (.+) \|$/gm)].map((match) =>
    match.slice(1),
  );
}

/** Sends a request to a mounted application. @returns The code and status of the error that its parent receives. */
async function failing(
  app: ReturnType<typeof express>,
  path: string,
  host = 'example.com',
): Promise<unknown[]> {
  const seen: unknown[] = [];
  const outer = express().use(app);
  outer.use((err: Error & { code?: string }, _req: unknown, res: express.Response, _next: unknown) => {
    seen.push(err.code, (err as { status?: number }).status);
    res.end();
  });
  await request(outer.set('env', 'test')).post(path).set('Host', host).send({ a: 1 });
  return seen;
}

describe('docs, codes of errors', () => {
  it('docs/errors.md lists all codes in alphabetical order, each with a cause and a remedy', () => {
    expect(rows().map(([code]) => code)).to.deep.equal(codesInSources());
    expect(rows().filter((row) => row.some((cell) => cell.trim() === ''))).to.deep.equal([]);
  });

  it('docs/errors.md lists each text of an error in the sources', () => {
    const page = readFileSync(join(ROOT, 'docs', 'errors.md'), 'utf8');
    const folders = [
      'application',
      'body',
      'express3',
      'express4',
      'extras',
      'fetch',
      'files',
      'http2',
      'legacy',
      'logger',
      'request',
      'response',
      'routing',
      'transports',
    ];
    const sources = folders.flatMap((folder) =>
      readdirSync(join(ROOT, 'src', folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(join(ROOT, 'src', folder, file), 'utf8')),
    );
    // Of a template, the text before its first value.
    const texts = sources.flatMap((text) =>
      [...text.matchAll(/(?:Error|createError)\(\s*(?:\d{3}, )?(['`])([^$]{6,}?)(?:\1|\$)/g)].map(
        ([, , message = '']) => message.trim(),
      ),
    );

    expect(texts).to.have.length.above(40);
    expect(texts.filter((message) => !page.includes(message))).to.deep.equal([]);
  });

  it('app.set throws an error with a code for an unknown value', () => {
    for (const name of ['strict body limit', 'strict host', 'strict paths', 'web bodies'])
      expect(() => express().set(name, 1))
        .to.throw(TypeError)
        .with.property('code', 'NOZOMI_SETTING_VALUE');
  });

  it('the 400 errors of strict host and strict paths have codes', async () => {
    expect(await failing(express().enable('strict host'), '/', 'a b')).to.deep.equal([
      'NOZOMI_HOST_INVALID',
      400,
    ]);
    expect(await failing(express().enable('strict paths'), '/a//b')).to.deep.equal([
      'NOZOMI_PATH_AMBIGUOUS',
      400,
    ]);
  });

  it('the errors of nozomi/fetch have codes: invalid URL, network error, body already read, closed connection', async () => {
    const network = express().use(fromFetch(() => Response.error()));
    expect(await failing(network, '/', 'a b')).to.deep.equal(['NOZOMI_FETCH_INVALID_URL', 400]);
    expect(await failing(network, '/')).to.deep.equal(['NOZOMI_FETCH_NETWORK_ERROR', undefined]);
    const read = express().use(
      express.json(),
      fromFetch(() => new Response()),
    );
    expect(await failing(read, '/')).to.deep.equal(['NOZOMI_FETCH_BODY_READ', undefined]);

    const closed = express().use((_req, res) => void res.destroy());
    const error = await toFetch(closed)('/').then(
      () => undefined,
      (err: { code?: string }) => err.code,
    );
    expect(error).to.equal('NOZOMI_FETCH_CLOSED');
  });

  it('the error of nozomi/http2 for a server without a certificate has a code', () => {
    expect(() => createHttp2Server({}, express()))
      .to.throw(TypeError)
      .with.property('code', 'NOZOMI_HTTP2_NO_CERTIFICATE');
  });

  it('the warning of nozomi/logger for a stream that fails has a code', async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error('full')) });
    const log = logger('tiny', { stream });
    const server = createServer((req, res) => log(req, res, () => res.end()));
    const heard = await heardDuring('warning', async () => {
      await request(server).get('/');
      await new Promise(setImmediate);
    });

    expect(heard.map(({ code }) => code)).to.deep.equal(['NOZOMI_LOG_STREAM']);
  });
});
