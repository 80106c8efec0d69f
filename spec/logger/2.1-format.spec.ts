import { expect } from 'chai';
import logger from 'nozomi/logger';
import { Log } from './support/log';
import { ask } from './support/serve';

/** The line for one `GET /path` in that format. */
async function lineOf(
  format: Parameters<typeof logger>[0],
  headers?: Record<string, string>,
): Promise<string> {
  const log = new Log();
  const middleware = logger(format, { stream: log });
  await ask((req, res) => middleware(req, res, () => res.end('hello')), '/path', headers);
  return (await log.until(1))[0] as string;
}

describe('L-2.1 the format argument', () => {
  it('a predefined name selects a format [L-2.1-01]', async () => {
    expect(await lineOf('tiny')).to.match(/^GET \/path 200 - - \d+\.\d{3} ms\n$/);
  });

  it('any other string is a format string [L-2.1-02]', async () => {
    expect(await lineOf('not a name')).to.equal('not a name\n');
  });

  it('a colon and a name form a token [L-2.1-03]', async () => {
    expect(await lineOf('<:method>:url:: :x')).to.equal('<GET>/path:: :x\n');
  });

  it('the text between brackets is the argument of the token [L-2.1-04]', async () => {
    expect(await lineOf(':req[x-name]!', { 'X-Name': 'value' })).to.equal('value!\n');
  });

  it('empty or open brackets are no argument [L-2.1-04]', async () => {
    expect(await lineOf(':method[] :method[GET')).to.equal('GET[] GET[GET\n');
  });

  it('a format function is called with the tokens, the request and the response [L-2.1-05]', async () => {
    let seen: unknown[] = [];

    const line = await lineOf((...args) => {
      seen = args;
      return `${args[1].method} ${args[2].statusCode}`;
    });

    expect(line).to.equal('GET 200\n');
    expect(seen).to.have.length(3);
    expect(seen[0]).to.equal(logger);
  });

  it('tokens are properties that return the value for a request [L-2.1-06 L-4-15]', async () => {
    expect(await lineOf((tokens, req, res) => tokens.method?.(req, res))).to.equal('GET\n');
  });

  it('the first argument of a format function is the logger itself, with its tokens and formats [L-2.1-07]', async () => {
    const line = await lineOf((tokens, req, res) => {
      const { compile } = tokens as unknown as typeof logger;
      return compile(String(tokens.short)).name + String(compile(':url')(tokens, req, res));
    });

    expect(line).to.equal('anonymous/path\n');
  });

  it('the result of a format function is the line [L-2.1-08]', async () => {
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
