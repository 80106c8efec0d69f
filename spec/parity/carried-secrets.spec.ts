import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import type * as har from 'har-format';
import { temporaryFolder } from '../../parity/temporary-folder';
import { APPLICATIONS, COMMAND, runParity } from '../support/command';

describe('nozomi-parity record, tokens under ordinary names', () => {
  it('are masked where they come from and where they are used, and a replay has its own', async () => {
    const app = join(APPLICATIONS, 'ordinary-tokens.js');
    const file = join(temporaryFolder('carried'), 'traffic.har');
    const tokens = await record(app, file);
    const text = readFileSync(file, 'utf8');
    const { entries } = JSON.parse(text).log as { entries: har.Entry[] };

    expect(tokens).to.have.length(4);
    for (const token of tokens) expect(text).to.not.include(token);
    expect(
      entries.map(({ request, response }) => `${new URL(request.url).pathname} ${response.status}`),
    ).to.deep.equal([
      '/login 200',
      '/me 200',
      '/login-text 200',
      '/me 200',
      '/graphql 200',
      '/me 200',
      '/page/1 200',
      '/page/3 200',
      '/save 204',
    ]);
    const { code, output } = await runParity([app, '--har', file]);

    expect(output, output).to.match(/10 passed, 0 failed/);
    expect(code).to.equal(0);
  });
});

/** Records the application while it is used. Returns the tokens. */
async function record(app: string, file: string): Promise<string[]> {
  const tokens: string[] = [];
  const child = spawn(process.execPath, [COMMAND, 'record', app, '-o', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface(child.stderr)) {
    const port = /^port (\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    const ask = async (path: string, options: RequestInit = {}): Promise<string> => {
      const { headers, ...rest } = options;
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        ...rest,
        headers: { ...headers, Connection: 'close' },
      });
      return response.text();
    };
    const use = async (token: string): Promise<void> => {
      tokens.push(token);
      await ask(`/me?use${tokens.length}`, { headers: { Authorization: `Bearer ${token}` } });
    };
    const json = { 'Content-Type': 'application/json' };
    await use(JSON.parse(await ask('/login', { method: 'POST' })).login);
    await use(await ask('/login-text', { method: 'POST' }));
    const query = 'mutation In($p: String!) { signIn(password: $p) { result } }';
    const body = JSON.stringify({ query, variables: { p: 'correct horse' } });
    await use(JSON.parse(await ask('/graphql', { method: 'POST', headers: json, body })).data.signIn.result);
    await ask('/page/1');
    await ask('/page/2');
    const [, token = ''] = /value="(\w+)"/.exec(await ask('/page/3')) ?? [];
    tokens.push(token);
    await ask('/save', { method: 'POST', body: new URLSearchParams({ _csrf: token }) });
    break;
  }
  child.kill('SIGINT');
  await once(child, 'close');
  return tokens;
}
