/** Recordings of applications with a login: the replay logs in again, and has its own tokens and ids. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { carrying } from '../../parity/application/carry';
import type { RecordedRequest } from '../../parity/application/traffic';
import type { Exchange } from '../../parity/client/messages';
import { get } from '../../parity/client/request';
import { temporaryFolder } from '../../parity/temporary-folder';
import { APPLICATIONS, COMMAND, runParity } from '../support/command';

const APPLICATION = join(APPLICATIONS, 'login.js');
const PASSWORD = 'correct horse';
const ADDRESS = 'ann@example.org';

describe('nozomi-parity record --keep-secrets', () => {
  const folder = temporaryFolder('login');
  const file = join(folder, 'traffic.har');
  const secrets = join(folder, '.nozomi', 'traffic.har.secrets.json');
  const statuses: number[] = [];

  before(async () => {
    const child = spawn(
      process.execPath,
      [COMMAND, 'record', APPLICATION, '-o', file, '--keep-secrets', '--keep', '9'],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    for await (const line of createInterface(child.stderr)) {
      const port = /^port (\d+)/.exec(line)?.[1];
      if (port === undefined) continue;
      statuses.push(...(await useApplication(`http://127.0.0.1:${port}`)));
      child.kill('SIGINT');
      break;
    }
    await once(child, 'close');
  });

  it('keeps the secrets that requests begin with, where only this user can read them', () => {
    const kept: string[] = Object.values(JSON.parse(readFileSync(secrets, 'utf8')));

    expect(statuses).to.deep.equal([200, 401, 303, 200, 200, 401, 201, 200, 304, 200, 200, 200]);
    expect(kept).to.have.members([ADDRESS, PASSWORD, 'wrong horse', 'ann.1']);
    expect(readFileSync(file, 'utf8')).to.not.include('horse').and.not.include(ADDRESS);
    expect(readFileSync(join(folder, '.nozomi', '.gitignore'), 'utf8')).to.equal('*\n');
    if (process.platform !== 'win32') expect(statSync(secrets).mode & 0o777).to.equal(0o600);
  });

  it('makes nozomi-parity log in, and use the tokens and ids of each run', async () => {
    const { code, output } = await parity(file);

    expect(output).to.not.include('from the recording');
    expect(output).to.match(/13 passed, 0 failed\n$/);
    expect(code).to.equal(0);
  });

  it('is named if the baseline responds otherwise to a masked request; NOZOMI_SECRETS replaces its file', async () => {
    const kept = readFileSync(secrets, 'utf8');
    rmSync(secrets);
    try {
      const without = await parity(file);
      const given = await parity(file, { NOZOMI_SECRETS: kept });

      expect(without.output).to.include(
        'traffic.har: POST /login #2, POST /token were sent with masked values; record with --keep-secrets',
      );
      expect(given.output).to.not.include('from the recording');
    } finally {
      writeFileSync(secrets, kept);
    }
  });

  it('needs secrets that are a JSON object of strings', async () => {
    const { code, output } = await parity(file, { NOZOMI_SECRETS: '["horse"]' });

    expect([code, output]).to.deep.equal([
      2,
      'parity: NOZOMI_SECRETS: expected a JSON object of strings, as nozomi-parity record --keep-secrets writes it\n',
    ]);
  });
});

describe('values that a replay carries to later requests', () => {
  const recordedWith = (body: string, target: string): RecordedRequest[] => [
    { ...get('/rows'), id: 'GET /rows', answer: { headers: [], body } },
    { ...get(target), id: `GET ${target}` },
  ];
  const recorded = recordedWith('{"rows":[{"id":"r1"},{"id":"r2"}],"pages":3}', '/rows/r2?page=3');
  const targetAfter = (body: string, requests = recorded): string => {
    const [, source] = carrying(requests, new Map());
    const seen = [{ response: { headers: [], body: Buffer.from(body) } } as unknown as Exchange];
    return typeof source === 'function' ? source(seen).target : '';
  };

  it('are those at the same place of the response', () => {
    expect(targetAfter('{"rows":[{"id":"r7"},{"id":"r8"}],"pages":5}')).to.equal('/rows/r8?page=3');
  });

  it('do not change if the response still has them, as a list in another order', () => {
    expect(targetAfter('{"rows":[{"id":"r2"},{"id":"r1"}],"pages":3}')).to.equal('/rows/r2?page=3');
  });

  it('do not change if the response has nothing at that place', () => {
    expect(targetAfter('not found')).to.equal('/rows/r2?page=3');
  });

  it('may be replacements and tokens without a digit', () => {
    const sent = (value: string, name = 'q'): string => {
      const page = (csrf: string): string => `<input type="hidden" name="_csrf" value="${csrf}">`;
      const requests = recordedWith(page(value), `/me?${name}=${value}`);
      return targetAfter(page('9c7bf00d5a'), requests);
    };

    expect(sent('masked-acbe')).to.equal('/me?q=9c7bf00d5a');
    expect(sent('QmFzZVNpeHR5Rm91cg')).to.equal('/me?q=9c7bf00d5a');
    expect(sent('QmFzZVNpeHRGb')).to.equal('/me?q=QmFzZVNpeHRGb');
    expect(sent('QmFzZVNpeHRGb', '_csrf')).to.equal('/me?_csrf=9c7bf00d5a');
  });

  it('change if the response has the recorded value where no id is', () => {
    const requests = recordedWith('{"id":2,"total":7}', '/orders?id=2');

    expect(targetAfter('{"id":5,"total":2}', requests)).to.equal('/orders?id=5');
  });
});

/** Uses each kind of value that a later request repeats. Returns the statuses. */
async function useApplication(origin: string): Promise<number[]> {
  const statuses: number[] = [];
  const ask = async (method: string, path: string, headers: Record<string, string> = {}, body?: string) => {
    const res = await fetch(origin + path, { method, headers, redirect: 'manual', ...(body && { body }) });
    statuses.push(res.status);
    return { res, text: await res.text() };
  };
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const json = { 'Content-Type': 'application/json' };

  const page = await ask('GET', '/login');
  const Cookie = page.res.headers.get('Set-Cookie')?.split(';')[0] ?? '';
  const [, csrf = ''] = /value="(\w+)"/.exec(page.text) ?? [];
  const login = (password: string): string =>
    String(new URLSearchParams({ _csrf: csrf, email: ADDRESS, password }));
  await ask('POST', '/login', { ...form, Cookie }, login('wrong horse'));
  await ask('POST', '/login', { ...form, Cookie }, login(PASSWORD));
  await ask('GET', '/me', { Cookie });

  const user = { name: 'ann', password: PASSWORD };
  const { token } = JSON.parse((await ask('POST', '/token', json, JSON.stringify({ user }))).text);
  const Authorization = `Bearer ${token}`;
  await ask('GET', '/api/notes/1', { Authorization: 'Bearer ann.1' });
  const note = await ask('POST', '/api/notes', { ...json, Authorization }, '{"text":"buy milk"}');
  const path = note.res.headers.get('Location') ?? '';
  const read = await ask('GET', path, { Authorization });
  await ask('GET', path, {
    Authorization,
    'Cache-Control': 'max-age=0',
    'If-None-Match': read.res.headers.get('ETag') ?? '',
  });
  const order = JSON.parse((await ask('POST', '/api/orders', { Authorization })).text);
  await ask('POST', '/api/payments', { ...json, Authorization }, JSON.stringify({ order: order.id, tip: 2 }));
  await ask('GET', `/api/orders?id=${order.id}`, { Authorization });
  return statuses;
}

async function parity(file: string, env: NodeJS.ProcessEnv = {}): Promise<{ code: number; output: string }> {
  const args = [APPLICATION, '--har', file, '--runs', '2'];
  const { code, output, errors } = await runParity(args, { env: { ...process.env, ...env } });
  return { code, output: output || errors };
}
