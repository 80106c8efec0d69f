import { expect } from 'chai';
import logger from 'nozomi/logger';
import { Log } from './support/log';
import { ask } from './support/serve';

/** @returns The line for `GET /path` in a format. */
async function lineOf(
  format: Parameters<typeof logger>[0],
  headers?: Record<string, string>,
): Promise<string> {
  const log = new Log();
  const middleware = logger(format, { stream: log });
  await ask((req, res) => middleware(req, res, () => res.end('hello')), '/path', headers);
  return (await log.until(1))[0] as string;
}

describe('logger(format) (L-2.1)', () => {
  it('the name of a predefined format selects this format [L-2.1-01]', async () => {
    expect(await lineOf('tiny')).to.match(/^GET \/path 200 - - \d+\.\d{3} ms\n$/);
  });

  it('any other string is a format string [L-2.1-02]', async () => {
    expect(await lineOf('not a name')).to.equal('not a name\n');
  });

  it('a colon and a name in a format string are a token [L-2.1-03]', async () => {
    expect(await lineOf('<:method>:url:: :x')).to.equal('<GET>/path:: :x\n');
  });

  it('the text in brackets after a token is its argument [L-2.1-04]', async () => {
    expect(await lineOf(':req[x-name]!', { 'X-Name': 'value' })).to.equal('value!\n');
  });

  it('empty or unclosed brackets are not an argument [L-2.1-04]', async () => {
    expect(await lineOf(':method[] :method[GET')).to.equal('GET[] GET[GET\n');
  });

  it('a format function is called with the logger, the request and the response [L-2.1-05]', async () => {
    let seen: unknown[] = [];

    const line = await lineOf((...args) => {
      seen = args;
      return `${args[1].method} ${args[2].statusCode}`;
    });

    expect(line).to.equal('GET 200\n');
    expect(seen).to.have.length(3);
    expect(seen[0]).to.equal(logger);
  });

  it('each token is a property of the logger, a function that returns the value for a request [L-2.1-06 L-4-15]', async () => {
    expect(await lineOf((tokens, req, res) => tokens.method?.(req, res))).to.equal('GET\n');
  });

  it('the first argument of a format function has the tokens and formats [L-2.1-07]', async () => {
    const line = await lineOf((tokens, req, res) => {
      const { compile } = tokens as unknown as typeof logger;
      return compile(String(tokens.short)).name + String(compile(':url')(tokens, req, res));
    });

    expect(line).to.equal('anonymous/path\n');
  });

  it('the result of a format function is written as the line [L-2.1-08]', async () => {
    expect(await lineOf(() => 'mine')).to.equal('mine\n');
  });

  for (const [id, nothing] of [
    ['L-2.1-09', undefined],
    ['L-2.1-10', null],
  ] as const) {
    it(`a format function that returns ${nothing} writes no line [${id} L-7-01]`, async () => {
      const log = new Log();
      const quiet = logger(() => nothing, { stream: log });
      const loud = logger('after', { stream: log });

      await ask((req, res) => quiet(req, res, () => loud(req, res, () => res.end())));

      expect(await log.until(1)).to.deep.equal(['after\n']);
    });
  }
});
