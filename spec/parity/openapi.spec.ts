import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { COMMAND, ROOT } from '../support/command';
import { filesOf } from '../support/files';

const APPLICATION = 'spec/parity/applications/schemas.js';

interface Saved {
  method: string;
  path: string;
  body?: unknown;
  status?: number;
  response?: unknown;
}

/** Runs `nozomi-parity openapi` in the root of the repository. */
const run = (...args: string[]) =>
  spawnSync(process.execPath, [COMMAND, 'openapi', APPLICATION, ...args], { cwd: ROOT, encoding: 'utf8' });

const jsonType = [{ name: 'Content-Type', value: 'application/json; charset=utf-8' }];

/** Runs the command with recorded traffic. @returns The lines of its output, and its exit code. */
function check(...saved: readonly Saved[]): [lines: string[], status: number | null] {
  const entries = saved.map(({ method, path, body, status = 200, response }) => ({
    request: {
      method,
      url: `http://127.0.0.1${path}`,
      headers: body === undefined ? [] : jsonType,
      ...(body !== undefined && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
    },
    response: {
      status,
      headers: jsonType,
      content: { text: typeof response === 'string' ? response : JSON.stringify(response ?? {}) },
    },
  }));
  const har = join(filesOf({}), 'traffic.har');
  writeFileSync(har, JSON.stringify({ log: { version: '1.2', entries } }));
  const { status, stdout } = run('--har', har);
  return [stdout.trim().split('\n'), status];
}

describe('nozomi-parity openapi', () => {
  const { stdout, stderr, status } = run('--title', 'Users');
  const { openapi, info, paths } = JSON.parse(stdout);

  it('writes OpenAPI 3.1 from the routes', () => {
    expect(status, stderr).to.equal(0);
    expect(openapi).to.equal('3.1.1');
    expect(info).to.deep.equal({ title: 'Users', version: '1.0.0' });
    expect(
      Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, Object.keys(item as object)])),
    ).to.deep.equal({
      '/users': ['get', 'post'],
      '/users/{id}': ['get'],
      '/files/{path}': ['get'],
      '/optional': ['get'],
      '/optional/{part}': ['get'],
      '/any': ['get', 'put', 'post', 'delete', 'patch'],
      '/vague': ['put'],
      '/trees': ['post'],
    });
  });

  it('describes parameters, bodies and responses by their schemas', () => {
    expect(paths['/users/{id}'].get.parameters).to.deep.include({
      name: 'id',
      in: 'path',
      required: true,
      schema: paths['/users'].post.responses['2XX'].content['application/json'].schema.properties.id,
    });
    expect(paths['/users'].get.parameters).to.deep.equal([
      { name: 'page', in: 'query', required: false, schema: { type: 'number' } },
    ]);
    const { requestBody, responses } = paths['/users'].post;
    expect(requestBody.content['application/json'].schema).to.deep.include({
      type: 'object',
      properties: { name: { type: 'string', minLength: 2 } },
      required: ['name'],
    });
    expect(Object.keys(responses)).to.deep.equal(['400', '2XX', 'default']);
  });

  it('says what it leaves out', () => {
    expect(stderr.split('\n')).to.include(
      'openapi: PUT /vague: body: the schema of spec has no Standard JSON Schema: pass toJsonSchema',
    );
    expect(stderr).to.match(/openapi: \/\^\\\/re\/: OpenAPI has no paths with regular expressions/);
  });

  it('writes to a file', () => {
    const file = join(filesOf({}), 'openapi.json');
    expect(run('-o', file)).to.include({ status: 0, stdout: '' });
    expect(JSON.parse(readFileSync(file, 'utf8')).paths).to.deep.equal(paths);
  });

  it('accepts traffic that matches, and requests that were refused', () => {
    const [lines, code] = check(
      { method: 'GET', path: '/users?page=2', response: [] },
      { method: 'GET', path: '/USERS/7/', response: { name: 'Ada' } },
      { method: 'HEAD', path: '/users/7' },
      { method: 'POST', path: '/users', body: { name: 'Ada' }, status: 201, response: { id: 7 } },
      { method: 'POST', path: '/users', body: {}, status: 400 },
      { method: 'GET', path: '/none', status: 404 },
    );
    expect([lines, code]).to.deep.equal([['5 requests checked, 0 problems'], 0]);
  });

  it('finds requests and responses that do not match, and routes that are missing', () => {
    const [lines, code] = check(
      { method: 'GET', path: '/users/x', response: { name: 'Ada' } },
      { method: 'GET', path: '/users?page=x', response: [] },
      { method: 'POST', path: '/users', body: { name: 'A' }, status: 201, response: { id: 'seven' } },
      { method: 'GET', path: '/users/8', response: 'not JSON' },
      { method: 'GET', path: '/other' },
      { method: 'POST', path: '/trees', body: { next: { next: 7 } } },
    );
    expect(code).to.equal(1);
    expect(lines).to.deep.equal([
      'GET /users/x: path.id must be integer',
      'GET /users?page=x: query.page must be number',
      'POST /users: body.name must NOT have fewer than 2 characters',
      'POST /users: response.id must be integer',
      'GET /users/8: response is not JSON',
      'GET /other: no operation, but its response is 200',
      'POST /trees: body.next.next must be object',
      '5 requests checked, 7 problems',
    ]);
  });

  it('fails if nothing was checked, or if the file does not exist', () => {
    expect(check({ method: 'GET', path: '/none', status: 404 })[1]).to.equal(2);
    expect(run('--har', 'none.har').status).to.equal(2);
  });
});
