/** Starts each application of examples/guide, checks its responses, and checks that a page of docs names its file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { freePort, untilListening } from '../../parity/harness/processes';
import { temporaryFolder } from '../../parity/temporary-folder';
import { ROOT } from '../support/code-blocks';

const FOLDER = join(ROOT, 'examples', 'guide');

/** The page that names the file of the application, and the expected status and body for each path. */
interface Example {
  page: string;
  shows: Record<string, readonly [status: number, body: unknown]>;
}

const EXAMPLES: Record<string, Example> = {
  'getting-started.mjs': {
    page: 'docs/getting-started.md',
    shows: { '/': [200, 'Hello World!'], '/users/7': [200, { id: '7' }] },
  },
  'express5.js': { page: 'docs/switching.md', shows: { '/': [200, { visits: 1 }] } },
  'express4.js': {
    page: 'docs/express4.md',
    shows: {
      '/files/a/b': [200, 'a/b'],
      '/users': [200, { id: 'everybody' }],
      '/fails': [500, 'rejected'],
    },
  },
  'express3.js': {
    page: 'docs/express3.md',
    shows: { '/api/users/7': [200, { id: '7' }], '/old': [200, 'old index'] },
  },
  'transports.js': {
    page: 'docs/transports.md',
    shows: { '/': [200, { version: '1.1' }], '/fetch': [200, { inside: { version: '1.1' } }] },
  },
  'observed.js': {
    page: 'docs/logging.md',
    shows: { '/': [200, { id: 'one' }] },
  },
  'precompressed.js': {
    page: 'docs/static-files.md',
    // fetch decodes the body.
    shows: { '/app.js': [200, 'console.log("hello");\n'.repeat(100)] },
  },
  'timeout.js': {
    page: 'docs/timeouts.md',
    shows: { '/wait/0': [200, 'in time'], '/wait/5000': [503, { timeout: 100 }] },
  },
  'web-bodies.js': {
    page: 'docs/streaming.md',
    shows: {
      '/blob': [200, 'a,b\n1,2\n'],
      '/stream': [200, '1\n2\n3\n'],
      '/response': [201, { made: true }],
    },
  },
  'public-web.js': {
    page: 'docs/security/strict.md',
    shows: {
      '/users': [405, { error: 'Method Not Allowed' }],
      '/other': [404, { missing: '/other' }],
    },
  },
  'schemas.js': {
    page: 'docs/schemas.md',
    shows: {
      '/users/7?page=2': [200, { id: 7, page: 2 }],
      '/users/7': [200, { id: 7, page: 1 }],
      '/users/x': [400, { error: 'Invalid params.id: Invalid input: expected number, received NaN' }],
    },
  },
  'openapi.js': {
    page: 'docs/openapi.md',
    shows: {
      '/users': [200, [{ id: 1, name: 'Ada' }]],
      '/users/2': [404, { error: 'no such user' }],
      '/users/x': [400, { error: 'Invalid params.id: Invalid input: expected number, received NaN' }],
    },
  },
  'strict.js': {
    page: 'docs/security/spellings.md',
    shows: {
      '/a': [200, '/a'],
      '/a//b': [400, { code: 'NOZOMI_PATH_AMBIGUOUS' }],
      '/admin': [403, 'Forbidden'],
    },
  },
};

describe('docs, applications of examples/guide', () => {
  it('are all shown on a page, and run by this spec', () => {
    expect(readdirSync(FOLDER).sort()).to.deep.equal(Object.keys(EXAMPLES).sort());
    for (const [program, { page }] of Object.entries(EXAMPLES))
      expect(readFileSync(join(ROOT, page), 'utf8'), page).to.include(`examples/guide/${program}`);
  });

  it('docs/getting-started.md shows getting-started.mjs', () => {
    const page = readFileSync(join(ROOT, 'docs/getting-started.md'), 'utf8');
    expect(page).to.include(`\`\`\`js\n${readFileSync(join(FOLDER, 'getting-started.mjs'), 'utf8')}\`\`\``);
  });

  for (const [program, { shows }] of Object.entries(EXAMPLES))
    it(`${program} sends the responses that its page shows`, async () => {
      const port = await freePort();
      const child = await start(program, port);
      try {
        for (const [path, [status, body]] of Object.entries(shows)) {
          const response = await fetch(`http://127.0.0.1:${port}${path}`);
          const text = await response.text();
          expect([response.status, typeof body === 'string' ? text : JSON.parse(text)], path).to.deep.equal([
            status,
            body,
          ]);
        }
      } finally {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    });
});

async function start(program: string, port: number): Promise<ChildProcess> {
  const env = {
    ...process.env,
    // Some examples write files there, and end without removing them.
    TMPDIR: temporaryFolder('example'),
    PORT: `${port}`,
    HTTP2_PORT: `${await freePort()}`,
    NO_DEPRECATION: 'express',
  };
  const child = spawn(process.execPath, [program], {
    cwd: FOLDER,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilListening(port);
  return child;
}
