import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseRequests } from '../../parity/application/traffic';
import { get } from '../../parity/client/request';
import type { Observation } from '../../parity/implementations/protocol';
import { compare as compareObservations } from '../../parity/judge/compare';
import type { Report } from '../../parity/judge/report';
import { Scrubber } from '../../parity/recorder/scrub';
import { maskExchange, maskObservation, maskReport } from '../../parity/report/mask';
import { temporaryFolder } from '../../parity/temporary-folder';
import { APPLICATIONS, type Ended, runParity } from '../support/command';

describe('nozomi-parity --har', () => {
  it('reports responses that differ from the recording, and omitted requests', async () => {
    const { code, output } = await compare('changed.js', '--har', 'changed.har');

    expect(output).to.include(
      'changed.har: 3 entries left out: other origin, WebSocket, body not recorded (POST /upload) (--allow-left-out)\n' +
        'changed.har: 1 response of the baseline differs from the recording: 200 → 410; GET /gone (--allow-other-responses)\n',
    );
    expect(output).to.include(
      'inconclusive: not everything was compared, for the reasons above; allow them with --allow-left-out --allow-other-responses\n',
    );
    expect(output).to.match(/ passed, 0 failed, 1 inconclusive\n$/);
    expect(code).to.equal(2);
  });

  it('exits with 0 if every gap is allowed, and names it all the same', async () => {
    const { code, output } = await compare(
      'changed.js',
      '--har',
      'changed.har',
      '--allow-left-out',
      '--allow-other-responses',
    );

    expect(output).to.include('differs from the recording: 200 → 410; GET /gone\n');
    expect(output).to.match(/ passed, 0 failed\n$/);
    expect(code).to.equal(0);
  });

  it('exits with 2 if no response equals the recorded one', async () => {
    const { code, output } = await compare('changed.js', '--har', 'gone.har');

    expect(output).to.include('nothing was tested: no response has the status that gone.har recorded\n');
    expect(code).to.equal(2);
  });

  it('exits with 2 if no request is selected', async () => {
    const { code, errors } = await compare('changed.js', '--har', 'gone.har', '--grep', 'nowhere');

    expect([code, errors]).to.deep.equal([
      2,
      'parity: no request matches --only and --grep; --list without them prints all ids\n',
    ]);
  });

  it('sends the parts of a multipart body with CRLF, for any line ends in the file', () => {
    const [one] = parseRequests(
      'POST /\nContent-Type: multipart/form-data; boundary=x\n\n--x\nA: b\n\nc\n--x--\n###\nGET /',
      'a.http',
    );

    expect(String(one?.payload)).to.equal('--x\r\nA: b\r\n\r\nc\r\n--x--\r\n');
  });
});

describe('nozomi-parity --only and --show', () => {
  it('find a request by the same id if the recording grows', async () => {
    const { output } = await compare('changed.js', '--requests', 'late.http', '--list');

    expect(output.split('\n')).to.deep.equal([
      'changed.js: GET /same',
      'changed.js: GET /late',
      'changed.js: GET /same #2',
      'changed.js: what it writes',
      '',
    ]);
  });

  it('--only compares the request with the id, and plays all requests', async () => {
    const { output } = await compare('changed.js', '--requests', 'late.http', '--only', 'GET /same #2');

    expect(output).to.match(/\n1 passed, 0 failed\n$/);
  });

  it('--show prints observations of the baseline, with an uncaught error under its request', async () => {
    const { output } = await compare('changed.js', '--requests', 'late.http', '--show', '--grep', 'late');

    expect(output).to.match(/^changed\.js: GET \/late\n/);
    expect(output).to.match(/\n {2}1\.status +HTTP\/1\.1 200 OK\n/);
    expect(output).to.match(/\n {2}1\.uncaught +Error: after the response\n/);
  });
});

describe('nozomi-parity, an application that does not start', () => {
  it('ends at once with the error of Node.js', async () => {
    const started = performance.now();
    const { code, errors } = await compare('rejecting.js', '--requests', 'hello.http');

    expect(errors).to.match(
      /^parity: rejecting\.js does not start with express:\nError: the database is gone\n +at .*rejecting\.js:2:/,
    );
    expect(code).to.equal(2);
    expect(performance.now() - started).to.be.below(15_000);
  });

  it('ends at once with a message if Node.js would exit before the application listens', async () => {
    const started = performance.now();
    const { code, errors } = await compare('idle.js', '--requests', 'hello.http');

    expect(errors).to.match(
      /^parity: idle\.js does not start with express:\nno database\nTypeError: no server found: .* Node\.js would end before/,
    );
    expect(code).to.equal(2);
    expect(performance.now() - started).to.be.below(15_000);
  });

  it('ends with a message of one line if only the candidate does not start', async () => {
    const { code, output } = await compare(
      'changed.js',
      '--requests',
      'late.http',
      '--candidate',
      '../faulty/unstartable',
    );

    expect(output).to.match(
      /✗ changed\.js: it starts\n {4}changed\.js does not start with \.\.\/faulty\/unstartable:\n +Error: cannot start/,
    );
    expect(output).to.match(/\n0 passed, 1 failed\n$/);
    expect(output).to.not.include('(absent)');
    expect(code).to.equal(1);
  });
});

describe('nozomi-parity, secrets in reports', () => {
  const SECRETS = ['hunter2', 'hidden-session', 'ann@example.org', 'abc.def', 'in-the-query'];

  it('are masked in every reporter: cookies, credentials, passwords and addresses', async () => {
    const folder = temporaryFolder('masked');
    for (const reporter of ['terminal', 'json', 'junit', 'github', 'html']) {
      const file = join(folder, reporter);
      // biome-ignore format: a table
      await compare(
        'changed.js', '--requests', 'secret.http', '--candidate', '../faulty/renamed',
        '--reporter', `${reporter}=${file}`,
      );
      const output = readFileSync(file, 'utf8');

      expect(output, reporter).to.include('renamed').and.to.include('masked-');
      for (const secret of SECRETS) expect(output, reporter).to.not.include(secret);
    }
  });

  it('are masked in ids, in the same way in every run, and in the output of --show', async () => {
    const listed = await compare('changed.js', '--requests', 'secret.http', '--list');
    const shown = await compare('changed.js', '--requests', 'secret.http', '--show');

    expect(listed.output).to.match(/^changed\.js: GET \/secret\?token=masked\n/);
    expect(shown.output).to.include('GET /secret?token=masked-').and.include('Bearer masked-');
    for (const secret of SECRETS) expect(listed.output + shown.output).to.not.include(secret);
  });

  it('are masked in trailers, informational heads, uncaught errors and what follows a response', () => {
    const cookie = [['Set-Cookie', 'sid=hidden-session']] as const;
    const uncaught = ['Error: ann@example.org'];
    const masked = maskObservation({
      exchanges: [],
      log: [],
      stdout: [],
      stderr: [],
      deprecations: uncaught,
      uncaught,
      threw: 'ann@example.org',
      lost: 'ann@example.org',
    });
    const exchange = maskExchange(
      {
        request: get('/'),
        connection: 1,
        outcome: 'kept',
        header: () => undefined,
        uncaught,
        surplus: Buffer.from('ann@example.org'),
        response: {
          trailers: cookie,
          interim: [{ version: '1.1', status: 103, reason: 'Early Hints', headers: cookie }],
        },
      },
      new Scrubber(),
    );
    const { surplus, ...rest } = exchange;
    const text = JSON.stringify([masked, rest]) + String(surplus);

    for (const secret of SECRETS) expect(text).to.not.include(secret);
    expect(text).to.include('masked-');
  });

  it('are masked in differences of lines and informational heads, which a report shows as JSON', () => {
    const observed = (status: number, extra: readonly string[]): Observation => ({
      log: ['{"password":"hunter2"}', 'X-API-Key: hunter2', ...extra],
      stdout: ['Cookie: sid=hidden-session', ...extra],
      stderr: [],
      deprecations: [],
      uncaught: [],
      exchanges: [
        {
          request: get('/'),
          connection: 1,
          outcome: 'kept',
          header: () => undefined,
          response: {
            interim: [
              { version: '1.1', status, reason: 'Early', headers: [['Set-Cookie', 'sid=hidden-session']] },
            ],
          },
        },
      ],
    });
    const [one, other] = [
      observed(102, []),
      observed(103, ['{"token":"abc.def"}', 'Authorization: Bearer abc.def']),
    ];
    const differences = compareObservations(other, one);
    const report = maskReport({
      verdicts: [{ differences, declared: [], seen: [other, one] }],
    } as unknown as Report);
    const text = JSON.stringify(report);

    expect(differences.map(({ place }) => place)).to.include.members(['1.interim', 'log.3', 'stdout.3']);
    for (const secret of SECRETS) expect(text).to.not.include(secret);
  });

  it('are masked in an earlier response, too, where they have an ordinary name', () => {
    const exchangeWith = (body: string, Authorization: string): Observation['exchanges'][number] => ({
      request: get('/', { Authorization }),
      connection: 1,
      outcome: 'kept',
      header: () => undefined,
      response: { headers: [['Content-Type', 'application/json']], body: Buffer.from(body) },
    });
    const observed = (body: string, authorization: string): Observation => ({
      exchanges: [exchangeWith(body, authorization)],
      log: [],
      stdout: [],
      stderr: [],
      deprecations: [],
      uncaught: [],
    });
    const verdicts = [
      observed('{"login":"token-123-of-ann"}', ''),
      observed('{}', 'Bearer token-123-of-ann'),
    ].map((one) => ({ differences: [], declared: [], seen: [one, one] }));
    const [first, second] = maskReport({ verdicts } as unknown as Report).verdicts;

    expect(String(first?.seen[0].exchanges[0]?.response.body)).to.match(/^\{"login":"masked-\w{4}"\}$/);
    expect(second?.seen[0].exchanges[0]?.request.headers.at(-1)?.[1]).to.match(/^Bearer masked-\w{4}$/);
  });

  it('are masked in annotations, and each differing request has one annotation', async () => {
    const { code, output } = await compare('module.mjs', '--requests', 'back.http', '--reporter', 'github');

    expect(output).to.match(
      /^::error title=parity%3A module\.mjs%3A GET \/back::1\.headers\.location: .*%0A/,
    );
    expect(code).to.equal(1);
  });
});

function compare(...args: string[]): Promise<Ended> {
  return runParity(args, { cwd: APPLICATIONS });
}
