/** Checks what a process of the example does while Redis hangs, and after Redis was killed and started again. */
import { once } from 'node:events';
import { end, freePort } from '../../parity/harness/processes';
import { startRedis, startServer } from './children';
import { untilResponding } from './load';

/** Milliseconds to wait for a response or for the end of a process. `deadline` of nozomi/graceful is 10 s. */
const PATIENCE = 15_000;

/** @returns Whether each request got its expected status, and each process ended with 0. */
export async function endureOutages(given: NodeJS.ProcessEnv, folder: string): Promise<boolean> {
  const redisPort = await freePort();
  // With NODE_ENV=test, the expected errors are not written to standard error.
  const env = { ...given, NODE_ENV: 'test', REDIS_URL: `redis://127.0.0.1:${redisPort}` };
  const port = await freePort();
  const problems: string[] = [];
  let checks = 0;
  let cookie = '';
  let redis = await startRedis(redisPort, folder);
  let server = await startServer(port, env);

  async function expectStatus(when: string, path: string, expected: number, headers = {}): Promise<void> {
    const url = `http://127.0.0.1:${port}${path}`;
    checks++;
    try {
      const res = await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE) });
      cookie ||= res.headers.get('set-cookie')?.split(';')[0] ?? '';
      if (res.status !== expected)
        problems.push(`${when}: ${path} has status ${res.status}, not ${expected}`);
    } catch (err) {
      problems.push(`${when}: ${path} has no response: ${(err as Error).cause ?? err}`);
    }
  }
  async function expectAll(when: string, expected: number): Promise<void> {
    await Promise.all([
      expectStatus(when, '/health', 200),
      expectStatus(when, '/ready', expected),
      expectStatus(when, '/', expected),
      expectStatus(when, '/', expected, { cookie }),
    ]);
  }

  try {
    await expectAll('with Redis', 200);

    redis.kill('SIGSTOP');
    await expectAll('while Redis hangs', 503);
    const late = expectStatus('SIGTERM while Redis hangs', '/', 503, { cookie });
    const [code] = await Promise.all([exitCodeOf(server), late]);
    checks++;
    if (code !== 0) problems.push(`SIGTERM while Redis hangs: the process ended with ${code}, not 0`);
    redis.kill('SIGCONT');
    server = await startServer(port, env);
    await expectAll('after Redis hung', 200);

    redis.kill('SIGKILL');
    await once(redis, 'exit');
    await expectAll('after Redis was killed', 503);
    redis = await startRedis(redisPort, folder);
    await untilResponding(port, '/ready');
    await expectAll('after Redis was started again', 200);
  } finally {
    await end(server);
    redis.kill('SIGCONT');
    await end(redis);
  }
  console.log(`outages of Redis: ${checks} checks, ${problems.length} failed`);
  for (const problem of problems) console.log(`  ${problem}`);
  return problems.length === 0;

  /** Ends a process with SIGTERM after it has received the last request. */
  async function exitCodeOf(child: typeof server): Promise<number | string> {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
    await end(child);
    clearTimeout(timer);
    return child.exitCode ?? child.signalCode ?? '';
  }
}
