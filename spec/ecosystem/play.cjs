// Runs one case, and sends its HTTP exchanges and notes to the parent process.
//
//   node play.cjs <family> <case> [http2]
//
// scripts/ecosystem/run.ts starts it in a directory whose node_modules/express is Express or this package.
const { createHash } = require('node:crypto');
const { once } = require('node:events');
const dns = require('node:dns');
const http = require('node:http');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const [family, name, transport] = process.argv.slice(2);
const isHttp2 = transport === 'http2';
const definition = require(`./cases/${family}.cjs`)[name];
const tmp = mkdtempSync(join(tmpdir(), 'ecosystem-'));
const transcript = [];
const log = [];

keepInside();
process.on('unhandledRejection', (err) => fail('unhandled', err));
process.on('uncaughtException', (err) => fail('uncaught', err));
process.once('beforeExit', () => finish(fail('threw', 'nothing is left to wait for')));
play()
  .catch((err) => fail('threw', err))
  .then(finish);

async function play() {
  const context = { tmp, note, log, until, serve, files: join(__dirname, 'files') };
  const app = await definition.app(context);
  const { server, ...client } = await serve(app);
  const url = server && `http://127.0.0.1:${server.address().port}`;
  const given = { ...context, ...client, app };
  // A case that uses the server or its address directly is skipped over HTTP/2.
  for (const [key, value] of Object.entries({ server, url })) {
    const get = () => {
      if (isHttp2) finish(skip(key));
      return value;
    };
    Object.defineProperty(given, key, { get });
  }
  await definition.play(given);
}

/** Serves what `listen` can. @returns The server, and functions that send requests to it. */
async function serve(made) {
  const server = await listen(made);
  return { server, ...makeClient(server?.address().port) };
}

/** Serves what a case returns: an application, a server, or nothing if the case starts its own server. */
async function listen(made) {
  if (isHttp2 && (typeof made !== 'function' || typeof made.handle !== 'function')) {
    finish(skip('no application'));
    await new Promise(() => undefined);
  }
  if (typeof made?.listen !== 'function') return undefined;
  if (isHttp2 && typeof made === 'function') {
    const server = createHttp2Server(made).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }
  const server = made instanceof http.Server ? made : made.listen(0, '127.0.0.1');
  if (server === made && !made.listening) made.listen(0, '127.0.0.1');
  if (!server.listening) await once(server, 'listening');
  return server;
}

/** Loads `node:http2` at the first call, because APM agents must be loaded first. */
function createHttp2Server(app) {
  if (definition.ownServer) return require('express/http2').createServer({ cleartext: true }, app);
  return require('node:http2').createServer(app);
}

/** @returns Functions that send requests over new connections, with a common cookie jar. */
function makeClient(port) {
  const jar = new Map();
  const request = async (method, path, { headers = {}, json, form, body } = {}) => {
    const content =
      json === undefined
        ? form === undefined
          ? body
          : `${new URLSearchParams(form)}`
        : JSON.stringify(json);
    const type =
      json === undefined
        ? form === undefined
          ? {}
          : { 'Content-Type': 'application/x-www-form-urlencoded' }
        : { 'Content-Type': 'application/json' };
    const host = Object.keys(headers).some((key) => key.toLowerCase() === 'host')
      ? {}
      : { Host: `127.0.0.1:${port}` };
    const cookie = jar.size === 0 ? {} : { Cookie: [...jar].map((pair) => pair.join('=')).join('; ') };
    if (isHttp2) return requestHttp2(method, path, { ...host, ...type, ...cookie, ...headers }, content);
    const sent = http.request({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent: false,
      headers: { ...host, ...type, ...cookie, ...headers },
    });
    sent.end(content);
    const [res] = await once(sent, 'response');
    return receive(method, path, res.statusCode, res.headers, res.rawHeaders, await res.toArray());
  };
  const requestHttp2 = async (method, path, headers, content) => {
    const session = require('node:http2').connect(`http://127.0.0.1:${port}`);
    const own = Object.entries(headers).flatMap(([key, value]) => {
      const lower = key.toLowerCase();
      if (lower === 'host') return [[':authority', value]];
      return /^(connection|transfer-encoding|keep-alive|upgrade)$/.test(lower) ? [] : [[lower, value]];
    });
    // http.request sets Content-Length too.
    const length = content === undefined ? {} : { 'content-length': Buffer.byteLength(content) };
    const stream = session.request(
      { ':method': method, ':path': path, ...Object.fromEntries(own), ...length },
      { endStream: content === undefined },
    );
    if (content !== undefined) stream.end(content);
    const lost = once(stream, 'close').then(() => {
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    });
    const [res, , raw] = await Promise.race([once(stream, 'response'), lost]);
    lost.catch(() => undefined);
    const chunks = await stream.toArray();
    session.destroy();
    return receive(method, path, res[':status'], res, raw.slice(2), chunks);
  };
  const receive = (method, path, status, headers, raw, chunks) => {
    for (const line of headers['set-cookie'] ?? []) {
      const [, key, value] = /^([^=]+)=([^;]*)/.exec(line);
      jar.set(key, value);
    }
    const bytes = Buffer.concat(chunks);
    transcript.push({
      request: `${method} ${path}`,
      status,
      headers: pairs(raw),
      body: legible(bytes),
    });
    return { status, headers, body: bytes.toString(), bytes };
  };
  return {
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, options) => request('POST', path, options),
  };
}

function pairs(raw) {
  return raw.flatMap((field, i) => (i % 2 === 0 ? [[field, raw[i + 1]]] : []));
}

/** @returns A body as text, or its length and hash if it is not UTF-8. */
function legible(bytes) {
  const text = bytes.toString();
  if (Buffer.from(text).equals(bytes)) return text;
  return `${bytes.length} bytes, sha256 ${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Adds a result to the transcript that no response contains. */
function note(what, value) {
  transcript.push({ note: what, value });
}

/** Waits until `isTrue()`, for effects after a response such as a log line. */
async function until(isTrue) {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Makes DNS look-ups fail for all names but localhost and its addresses, so that no case uses the network. */
function keepInside() {
  const lookup = dns.lookup;
  dns.lookup = (host, ...rest) => {
    if (/^(localhost|127\.0\.0\.1|::1)?$/.test(host ?? '')) return lookup(host, ...rest);
    rest.at(-1)(new Error(`no outside network: ${host}`));
  };
}

function skip(what) {
  transcript.push({ skipped: what });
}

function fail(how, err) {
  transcript.push({ [how]: err instanceof Error ? `${err.name}: ${err.message}` : String(err) });
}

function finish() {
  rmSync(tmp, { recursive: true, force: true });
  if (log.length > 0) note('log', log);
  const masks = [...(definition.mask ?? []), tmp, __dirname];
  const framework = require('express/package.json').name;
  process.send(
    { framework, transcript: transcript.map((entry) => hideLength(entry, hide(entry, masks))) },
    () => process.exit(),
  );
}

/** Masks Content-Length and ETag of a body with masked values. */
function hideLength({ body }, entry) {
  if (entry.body === body) return entry;
  const headers = entry.headers.map(([field, value]) => [
    field,
    /^(content-length|etag)$/i.test(field) ? '<of the body>' : value,
  ]);
  return { ...entry, headers };
}

/**
 * Removes Date headers, and masks the name of the framework and values that differ in each run: ISO times, ports,
 * directories, stack frames, and what the case declares.
 */
function hide(value, masks) {
  if (Array.isArray(value)) return value.filter((item) => !isClock(item)).map((item) => hide(item, masks));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hide(item, masks)]));
  }
  if (typeof value !== 'string') return value;
  const plain = value
    .replace(/^(Express|Nozomi)$/, '<framework>')
    .replaceAll(/(?<=x-powered-by\W+)(Express|Nozomi)/gi, '<framework>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/(127\.0\.0\.1|localhost):\d+/g, '$1:<port>')
    .replaceAll(/((\n|\\n|<br>)( |&nbsp;)*at [^\n<]*?(?=\n|\\n|<|"|$))+/g, '<stack>');
  return masks.reduce((text, mask) => text.replaceAll(mask, '<…>'), plain);
}

function isClock(item) {
  return (
    Array.isArray(item) &&
    item.length === 2 &&
    typeof item[0] === 'string' &&
    item[0].toLowerCase() === 'date'
  );
}
