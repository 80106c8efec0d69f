/**
 * Injects the unusual requests into the implementation that the first argument names, and prints the responses as
 * JSON.
 *
 * A child process, because light-my-request permanently changes the prototypes of an implementation.
 */
import inject from 'light-my-request';
import type { App } from './light';
import { ASKED, seeing } from './odd-requests';

async function main(create: () => App): Promise<void> {
  const responses: unknown[] = [];
  for (const [method, url, headers, payload] of ASKED) {
    const body = payload === undefined ? {} : { payload };
    const res = await inject(seeing(create()) as never, { method: method as 'GET', url, headers, ...body });
    const { date, 'x-powered-by': name, ...rest } = res.headers;
    responses.push([res.statusCode, { ...rest, dated: typeof date, named: typeof name }, res.body]);
  }
  process.stdout.write(JSON.stringify(responses));
}

void main(require(process.argv[2] as string));
