// Writes docs/transports.md, with the differences that parity/transports declares. Run this script after a change to
// folds.ts or transports.ts of parity/divergences, or to the text below.
//
//   npm run generate -- transports               writes docs/transports.md
//   npm run generate -- transports --check    writes nothing; exit code 1 if the page is out of date
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDS } from '../../parity/divergences/folds';
import { TRANSPORT_DIVERGENCES } from '../../parity/divergences/transports';
import type { Transport } from '../../parity/transports/transport';
import { runCommand } from '../command';
import { readIfThere, table } from '../document';

const file = join(__dirname, '..', '..', 'docs', 'transports.md');

const NAMES: Readonly<Record<Transport, string>> = {
  listen: 'HTTP/1.1',
  create: 'HTTP/1.1',
  wrapped: 'HTTP/1.1',
  https: 'HTTPS',
  h2: 'HTTP/2 with TLS',
  h2c: 'HTTP/2 without TLS',
  fetch: 'fetch',
};

/** The names of the two kinds of HTTP/2 in a list that has both. */
const BOTH_HTTP2 = `${NAMES.h2}, ${NAMES.h2c}`;

const PAGE = `# Servers and transports

An application runs on each of these servers. You change neither the application nor its middleware:

| Server | |
| --- | --- |
| HTTP/1.1 | \`app.listen(3000)\`, \`http.createServer(app)\` |
| HTTPS | \`https.createServer({ key, cert }, app)\` |
| HTTP/2, and HTTP/1.1 for clients without it | \`listen(app, { port: 443, key, cert })\` of \`nozomi/http2\`, or \`http2.createSecureServer({ allowHTTP1: true, key, cert }, app)\` |
| HTTP/2 without TLS, behind a proxy | \`listen(app, { port: 3000, cleartext: true })\`, or \`http2.createServer(app)\` |
| Deno, Bun and others that accept a fetch handler | \`Deno.serve(toFetch(app))\`, \`Bun.serve({ fetch: toFetch(app) })\` with \`nozomi/fetch\`; on Deno and Bun, \`app.listen(3000)\` works, too |
| no server, for tests | \`await toFetch(app)('/users/1')\` |

On each of them, handlers receive \`http.IncomingMessage\` and \`http.ServerResponse\` objects, so supertest and
light-my-request work as before. An HTTP/2 server with Express 5 or 4 ends its process at the first request.

## HTTP/2

\`\`\`js
const { listen } = require('nozomi/http2');
const { graceful } = require('nozomi/graceful');

graceful(listen(app, { port: 443, key, cert }), { signals: ['SIGTERM', 'SIGINT'] });
\`\`\`

\`createServer(options, app)\` creates the server without listening. Its options are those of \`http2.createSecureServer\`, and:

| Option | Default | |
| --- | --- | --- |
| \`cleartext\` | \`false\` | without TLS |
| \`sessionTimeout\` | 72,000 | milliseconds after which a session without traffic is closed; running handlers complete their responses first, and a response that the client does not receive is cut |
| \`requestTimeout\` | 300,000 | milliseconds that a client may take to send a request |
| \`settings.maxConcurrentStreams\` | 100 | Node.js sets no limit |

- Requests and responses also have the members of Node.js for HTTP/2: \`req.stream\`, \`req.authority\`, \`req.scheme\`, \`res.stream\` and
  \`res.createPushResponse\`.
- \`req.headers.host\` is the \`:authority\`. [\`strict host\`](security/spellings.md#the-host-a-request-names) refuses a request with a
  different \`Host\`.
- If a request with a body has no \`Content-Length\`, Nozomi adds \`Transfer-Encoding: chunked\` to \`req.headers\`. Body parsers recognise a
  body by it.
- Most WebSocket clients use HTTP/1.1. \`nozomi/http2\` with TLS accepts it; \`http2.createSecureServer\` needs \`allowHTTP1: true\`; a cleartext
  server does not accept it. [WebSockets](websockets.md) over HTTP/2 need \`settings.enableConnectProtocol\`.
- Not every APM agent traces HTTP/2: see [agents](compatibility.md#your-agent).

Over HTTP/2 and fetch, Node.js 20 counts one more in \`res.writableCorked\` than the calls of \`res.cork()\`.

Node.js never subtracts the queued data of a cancelled download from the memory of its session
([\`maxSessionMemory\`](https://nodejs.org/api/http2.html#http2createserveroptions-onrequesthandler), 10 MB by default). After many
cancelled downloads, it refuses further streams and closes the session, with and without a framework; clients then open another one.
\`spec/transports/aborts.spec.ts\` tests this.

## Fetch

\`\`\`js
import { fromFetch, toFetch } from 'nozomi/fetch';

const response = await toFetch(app)('/users', { method: 'POST', body: '{}' }); // a path, a URL or a Request
app.use('/api', fromFetch(hono.fetch)); // a fetch handler as middleware
\`\`\`

The function that \`toFetch(app)\` returns can be

- a route handler of Next.js: \`export const GET = toFetch(app)\`;
- a loader or action of React Router and Remix: \`({ request }) => handler(request)\`;
- the handler of a service worker: \`event.respondWith(handler(event.request))\`;
- the \`fetch\` member of a module.

\`fromFetch\` mounts Hono (\`hono.fetch\`) and React Router (\`createRequestHandler(build)\`).

- Request and response bodies are streamed. A stream pauses while no code reads it.
- If \`signal\` is aborted, the request ends like a lost connection. So does a request whose
  \`Response\` was dropped and collected as garbage before its body was read.
- \`req.ip\` is the address that Deno and Bun pass, or else the option \`remoteAddress\`. Without both, \`req.ip\` is undefined, and no proxy is
  trusted by its address.
- Mount \`fromFetch\` before body parsers. Its handler receives the whole path, or with \`stripMountPath\` the path below the mount path. If the
  handler returns no response, the next middleware runs.
- The handler of \`fromFetch\` sees the path of the request target. A request gets 400 (\`NOZOMI_FETCH_INVALID_URL\`) if its host is not one
  name with an optional port. The URL parser removes \`.\` and \`..\` from paths; if guards precede \`fromFetch\`, set
  [\`strict paths\`](security/spellings.md).

[Graceful shutdown](security/graceful-end.md) works for all servers of this page.
[examples/guide/transports.js](../examples/guide/transports.js) serves one application in three ways.

## What differs

Over HTTP/1.1, responses are the same with \`app.listen\`, \`http.createServer\` and \`https.createServer\`. Other servers differ as follows:

`;

runCommand({
  name: 'transports',
  file: __filename,
  options: { check: { type: 'boolean', default: false } },
  run({ values }) {
    const wanted = compose();
    if (!values.check) {
      writeFileSync(file, wanted);
      return true;
    }
    const isTrue = readIfThere(file) === wanted;
    if (!isTrue) console.error('docs/transports.md is out of date: run npm run generate -- transports');
    return isTrue;
  },
});

function compose(): string {
  const rows = [...FOLDS, ...TRANSPORT_DIVERGENCES].map(({ transports, differs, why }) => [
    [...new Set(transports.map((transport) => NAMES[transport]))].join(', ').replace(BOTH_HTTP2, 'HTTP/2'),
    differs,
    why,
  ]);
  return `${PAGE}${table(['Over', 'What differs', 'Why'], rows)}
Two commands replay every scenario that consists of requests and responses over each server:

- \`npm run parity -- --transport h1,h2,h2c,fetch --server create,wrapped,https\` compares the responses with those over HTTP/1.1.
- \`npm run fixtures -- --transport h2,h2c,fetch\` compares them with the recorded responses of Express.

*The table is generated by \`npm run generate -- transports\` from \`parity/transports\`.*
`;
}
