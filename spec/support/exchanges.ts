/**
 * Sends the requests that comments of a code block describe, and compares the responses.
 *
 * `// GET /path | Name: value | body → 200 | Name: value | body` is a request and its response; headers and bodies may be
 * missing. A value that ends with `…` is the start of the expected one.
 */
import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { expect } from 'chai';

const EXCHANGE =
  /^(?:\/\/|#) ([A-Z]+) (\/\S*)((?: \| .*?)?) → (\d{3})((?: \| [\s\S]*?)?)$(?=\n(?:\/\/|#)|(?![\s\S]))/gm;

/** @param name Where the code is, for messages. @returns The number of exchanges. */
export async function playExchanges(code: string, port: number, name: string): Promise<number> {
  const exchanges = [...code.replace(/\n\/\/ (?![A-Z]+ \/)/g, '\n').matchAll(EXCHANGE)];
  for (const [, method = '', target = '', given = '', status, expected = ''] of exchanges) {
    const received = await exchange(port, method, target, partsOf(given));
    const where = `${name}, ${method} ${target}`;
    const parts = partsOf(expected);
    expect(received.status, `${where}: ${received.body}`).to.equal(Number(status));
    for (const [header, value] of parts.headers)
      compare(received.headers[header.toLowerCase()]?.toString() ?? '', value, where);
    if (parts.body !== undefined) compare(received.body, parts.body, where);
  }
  return exchanges.length;
}

function compare(actual: string, expected: string, where: string): void {
  const start = expected.endsWith('…') ? expected.slice(0, -1) : undefined;
  expect(start === undefined ? actual : actual.slice(0, start.length), where).to.equal(start ?? expected);
}

interface Parts {
  headers: [name: string, value: string][];
  body: string | undefined;
}

function partsOf(text: string): Parts {
  const parts = text.split(' | ').slice(1);
  const headers = parts.filter((part) => /^[\w-]+: /.test(part));
  return {
    headers: headers.map((header) => header.split(/: ([\s\S]*)/, 2) as [string, string]),
    body: parts.find((part) => !headers.includes(part)),
  };
}

async function exchange(
  port: number,
  method: string,
  path: string,
  { headers, body = '' }: Parts,
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }> {
  const client = request({ port, method, path, agent: false });
  for (const [name, value] of headers) client.setHeader(name, value);
  client.end(body);
  const [response] = await once(client, 'response');
  const text = (await response.toArray()).join('');
  return { status: response.statusCode, headers: response.headers, body: text };
}
