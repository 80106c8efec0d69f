/** Uses the application `members`: logs in, sends its forms, tokens and uploads, reads its streams, opens its WebSocket. */
import { get } from 'node:http';

/** @param origin The address of the application: `http://localhost:3000`. */
export async function visit(origin: string): Promise<void> {
  const cookies = new Map<string, string>();
  const send = async (method: string, path: string, init: RequestInit = {}): Promise<string> => {
    const headers = new Headers(init.headers);
    if (cookies.size > 0) headers.set('Cookie', [...cookies].map((pair) => pair.join('=')).join('; '));
    const response = await fetch(origin + path, { ...init, method, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return response.text().catch(() => '');
  };
  const form = (fields: Record<string, string>): RequestInit => ({ body: new URLSearchParams(fields) });
  const json = (value: unknown, headers = {}): RequestInit => ({
    body: JSON.stringify(value),
    headers: { 'Content-Type': 'application/json', ...headers },
  });

  await send('GET', '/account');
  const page = await send('GET', '/login');
  const token = /value="([^"]+)"/.exec(page)?.[1] ?? '';
  await send('POST', '/login', form({ name: 'ada', password: 'lovelace' }));
  await send('POST', '/login', form({ name: 'ada', password: 'wrong', _csrf: token }));
  await send('POST', '/login', form({ name: 'ada', password: 'lovelace', _csrf: token }));
  await send('GET', '/account', { headers: { Accept: 'application/json' } });
  await send('GET', '/account', { headers: { Accept: 'text/html' } });

  await send('GET', '/api/me');
  await send('POST', '/api/token', json({ name: 'ada', password: 'wrong' }));
  const given = JSON.parse(await send('POST', '/api/token', json({ name: 'ada', password: 'lovelace' })));
  const bearer = { Authorization: `Bearer ${given.token}` };
  await send('GET', '/api/me', { headers: bearer });
  const { id } = JSON.parse(await send('POST', '/api/notes', json({ text: 'grüße' }, bearer)));
  await send('GET', `/api/notes/${id}`, { headers: bearer });
  await send('PUT', `/api/notes/${id}`, json({ text: 'changed' }, bearer));
  await send('DELETE', `/api/notes/${id}`, { headers: bearer });
  await send('GET', '/api/notes/none', { headers: bearer });
  for (const _ of [1, 2, 3]) await send('GET', '/api/limited?callback=done', { headers: bearer });

  const files = (size: number): FormData => {
    const data = new FormData();
    data.append('files', new Blob(['hello'], { type: 'text/plain' }), 'a.txt');
    data.append('files', new Blob(['x'.repeat(size)], { type: 'text/plain' }), 'b.txt');
    data.append('note', 'two files');
    return data;
  };
  await send('POST', '/upload', { body: files(20) });
  await send('POST', '/upload', { body: files(9000) });
  for (const encoding of ['gzip', 'br', 'identity'])
    await send('GET', '/report', { headers: { 'Accept-Encoding': encoding } });
  await send('GET', '/events?finite=1');
  for (const path of ['/file', '/download', '/random', '/xml', '/echo?a=1&b[c]=2', '/fails', '/none'])
    await send('GET', path);
  await send('GET', '/file', { headers: { Range: 'bytes=2-9' } });
  await send('OPTIONS', '/file');
  await send('HEAD', '/report');
  await send('POST', '/echo', { body: '{"a":', headers: { 'Content-Type': 'application/json' } });
  await openSocket(origin);
  await send('POST', '/logout');
  await send('GET', '/account');
}

function openSocket(origin: string): Promise<void> {
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  };
  return new Promise((resolve, reject) => {
    get(origin, { headers })
      .on('upgrade', (_response, socket) => socket.on('close', resolve).resume().end('a'))
      .on('error', reject);
  });
}
