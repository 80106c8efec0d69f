// Writes docs/transports.md from the declared differences of the transports. Run after parity/transports/folds.ts or
// divergences.ts changes; with --check it writes nothing and exits 1 if the document is out of date.
//
//   npm run transports -- [--check]
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TRANSPORT_DIVERGENCES } from '../../parity/transports/divergences';
import { FOLDS } from '../../parity/transports/folds';
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

const PAGE = `# Servers and transports

An application runs on each of these servers; neither it nor its middleware changes:

| Server | |
| --- | --- |
| HTTP/1.1 | \`app.listen(3000)\`, \`http.createServer(app)\` |
| HTTPS | \`https.createServer({ key, cert }, app)\` |
| HTTP/2, and HTTP/1.1 for clients without it | \`listen(app, { port: 443, key, cert })\` of \`nozomi/http2\`, or \`http2.createSecureServer({ allowHTTP1: true, key, cert }, app)\` |
| HTTP/2 without TLS, behind a proxy | \`listen(app, { port: 3000, cleartext: true })\`, or \`http2.createServer(app)\` |
| Deno, Bun and others that accept a fetch handler | \`Deno.serve(toFetch(app))\`, \`Bun.serve({ fetch: toFetch(app) })\` with \`nozomi/fetch\` |
| none, for tests | \`await toFetch(app)('/users/1')\` |

On each of them, handlers receive \`http.IncomingMessage\` and \`http.ServerResponse\` objects. With Express 5 and 4, the first HTTP/2
request ends the process.

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
| \`sessionTimeout\` | 72,000 | milliseconds after which a session without traffic is closed |
| \`requestTimeout\` | 300,000 | milliseconds that a client may take to send a request |
| \`settings.maxConcurrentStreams\` | 100 | Node.js sets no limit |

Requests and responses have the additional members of Node.js: \`req.stream\`, \`req.authority\`, \`req.scheme\`, \`res.stream\`,
\`res.createPushResponse\`. \`req.headers.host\` is the \`:authority\`; with the setting \`strict host\` a request with a different \`Host\`
is refused. A body without \`Content-Length\` has \`Transfer-Encoding: chunked\` in \`req.headers\`, by which body parsers recognise
it. WebSockets need HTTP/1.1, to which \`allowHTTP1\` falls back. An APM agent that finds the route by the request that the server
emits, such as dd-trace, needs a server of \`nozomi/http2\`. An agent that wraps servers of \`node:http\` only, such as OpenTelemetry,
traces no request over HTTP/2. [The ecosystem](ecosystem.md) lists this for each package.

## Fetch

\`\`\`js
const { fromFetch, toFetch } = require('nozomi/fetch');

const response = await toFetch(app)('/users', { method: 'POST', body: '{}' }); // a path, a URL or a Request
app.use('/api', fromFetch(hono.fetch)); // a fetch handler as middleware
\`\`\`

The function is a route handler of Next.js (\`export const GET = toFetch(app)\`), a loader or action of React Router and Remix
(\`({ request }) => handler(request)\`), the responder of a service worker (\`event.respondWith(handler(event.request))\`) and the
\`fetch\` member of a module. \`fromFetch\` mounts Hono (\`hono.fetch\`) and React Router (\`createRequestHandler(build)\`).

Both bodies are streamed, and pause while no code reads them. Aborting \`signal\` ends the request like a lost connection.
\`req.ip\` is the address that Deno and Bun pass, otherwise the option \`remoteAddress\`, otherwise undefined; then no proxy is
trusted by its address. Mount \`fromFetch\` before body parsers. If its handler returns no response, the next middleware runs. The
handler receives the whole path, or with \`stripMountPath\` the path below the mount path. supertest and light-my-request still work.

[A graceful end](security/graceful-end.md) is the same for all servers.
[examples/guide/transports.js](../examples/guide/transports.js) serves one application in three ways.

## What differs

Over HTTP/1.1 with \`app.listen\`, \`http.createServer\` and \`https.createServer\` nothing differs except for TLS. The others differ as follows:

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
    if (!isTrue) console.error('docs/transports.md is out of date: run npm run transports');
    return isTrue;
  },
});

function compose(): string {
  const rows = [...FOLDS, ...TRANSPORT_DIVERGENCES].map(({ transports, differs, why }) => [
    [...new Set(transports.map((transport) => NAMES[transport]))].join(', '),
    differs,
    why,
  ]);
  return `${PAGE}${table(['Over', 'What differs', 'Why'], rows)}
Every scenario of this project that is a request and its response is played over each, and must give the response of HTTP/1.1:
\`npm run parity -- --transport h1,h2,h2c,fetch --server create,wrapped,https\`. \`npm run fixtures -- --transport h2,h2c,fetch\`
compares with the recorded responses of Express.

*Made by \`npm run transports\` from \`parity/transports\`.*
`;
}
