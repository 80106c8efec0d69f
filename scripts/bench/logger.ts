// Measures the CPU time per request of the logger and of morgan. Run this script after a change to src/logger and a
// build.
//
//   npm run bench -- logger [--rounds 60] [--requests 1500] [--sets 3] [format …]
//
// Each logger runs on a bare node:http server that sends a constant, and writes to a stream that counts lines and keeps
// the last. The counts and last lines of both loggers are compared first. Every server runs in its own process, because
// V8's type feedback for one logger could slow the other, and is warm before the measurement. Each round sends every
// server the same number of requests, in random order.
//
// The cost of a logger is the CPU time with it minus the CPU time without it in the same round, as a median over all
// rounds. A second bare server shows the noise. Exit code 1 if the logger costs more than half of what morgan
// costs, 2 if the lines differ.
import { type ChildProcess, fork } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { runCommand, toCount } from '../command';
import { reply } from '../reply';
import { formatLine } from '../table';
import { median, shuffled } from './statistics';

type Variant = 'bare' | 'bare again' | 'morgan' | 'nozomi';

const VARIANTS: readonly Variant[] = ['bare', 'bare again', 'morgan', 'nozomi'];
const LIMIT = 0.5;
const CONNECTIONS = 16;
const REQUEST = Buffer.from(
  'GET /orders/42?expand=lines HTTP/1.1\r\nHost: shop.example\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) bench\r\n' +
    'Accept: */*\r\nReferer: https://shop.example/orders\r\n\r\n',
);

const [role, ...childArgs] = process.argv.slice(2);
if (role === '--serve') serve(childArgs[0] as Variant, childArgs[1] as string);
else
  runCommand({
    name: 'bench',
    file: __filename,
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '60' },
      requests: { type: 'string', default: '1500' },
      sets: { type: 'string', default: '3' },
    },
    run: ({ values: { rounds, requests, sets }, positionals }) =>
      main(
        toCount('rounds', rounds),
        toCount('requests', requests),
        toCount('sets', sets),
        positionals.length > 0 ? positionals : ['combined', 'tiny', 'dev'],
      ),
  });

// The server process: one variant.

function serve(variant: Variant, format: string): void {
  let lines = 0;
  let last = '';
  const sink = {
    write(line: string) {
      lines++;
      last = line;
    },
  };
  const answer: RequestListener = (_req, res) => {
    res.setHeader('Content-Type', 'text/plain');
    res.setHeader('Content-Length', '5');
    res.end('hello');
  };
  const server = createServer(withLogger(variant, format, sink, answer));
  server.keepAliveTimeout = 0; // Node.js must not close idle connections while other variants are measured.
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ micros: user + system, lines, last });
  });
  process.on('disconnect', () => process.exit());
}

function withLogger(
  variant: Variant,
  format: string,
  stream: { write(line: string): void },
  answer: RequestListener,
): RequestListener {
  if (variant.startsWith('bare')) return answer;
  const create = require(variant === 'morgan' ? 'morgan' : 'nozomi/logger') as typeof import('morgan');
  const log = create(format, { stream });
  return (req, res) => log(req, res, () => answer(req, res));
}

// The client process, which also computes the results.

interface Usage {
  micros: number;
  lines: number;
  last: string;
}

interface Peer {
  variant: Variant;
  child: ChildProcess;
  sockets: Socket[];
}

/** @returns Whether, for every format, the logger costs at most half of what morgan costs. */
async function main(
  rounds: number,
  requests: number,
  sets: number,
  formats: readonly string[],
): Promise<boolean> {
  console.log(
    `Node.js ${process.version}, ${sets} sets of processes, ${rounds} rounds of ${requests} requests each`,
  );
  const widths = [-10, 11, 11, 11, 11, 11];
  console.log(formatLine(['format', 'µs bare', 'bare again', 'morgan', 'nozomi', 'ratio'], widths));
  let missed = false;
  for (const format of formats) {
    const differences: Record<Variant, number[]> = { bare: [], 'bare again': [], morgan: [], nozomi: [] };
    for (let set = 0; set < sets; set++) await measure(format, rounds, requests, differences);
    const [bare, again, morgan, nozomi] = VARIANTS.map((variant) => median(differences[variant])) as [
      number,
      number,
      number,
      number,
    ];
    const ratio = nozomi / morgan;
    missed ||= !(ratio <= LIMIT);
    const cells = [
      bare.toFixed(1),
      ...[again, morgan, nozomi].map((n) => `+${n.toFixed(2)}`),
      ratio.toFixed(2),
    ];
    console.log(formatLine([format, ...cells], widths));
  }
  return !missed;
}

/**
 * Measures one set of new processes.
 *
 * @param into Receives CPU microseconds per request: the total for `bare`, the difference to `bare` for the others.
 */
async function measure(
  format: string,
  rounds: number,
  requests: number,
  into: Record<Variant, number[]>,
): Promise<void> {
  const peers: Peer[] = [];
  for (const variant of VARIANTS) {
    const peer = await start(variant, format);
    peers.push(peer);
    await drive(peer, 20_000);
  }
  await compareLines(peers, format);

  for (let round = 0; round < rounds; round++) {
    const cost = {} as Record<Variant, number>;
    for (const peer of shuffled(peers)) {
      const before = await usage(peer);
      await drive(peer, requests);
      cost[peer.variant] = ((await usage(peer)).micros - before.micros) / requests;
    }
    into.bare.push(cost.bare);
    for (const variant of VARIANTS.slice(1)) into[variant].push(cost[variant] - cost.bare);
  }
  for (const { child, sockets } of peers) {
    for (const socket of sockets) socket.destroy();
    child.disconnect();
  }
}

async function start(variant: Variant, format: string): Promise<Peer> {
  const child = fork(__filename, ['--serve', variant, format], { execArgv: process.execArgv });
  const { port } = await reply<{ port: number }>(child);
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1').setNoDelay());
  return { variant, child, sockets };
}

/** Sends the requests over all connections, with one request in flight per connection. */
async function drive({ sockets }: Peer, requests: number): Promise<void> {
  let left = requests;
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve) => {
          const next = () => {
            if (left-- > 0) socket.write(REQUEST);
            else {
              socket.off('data', next);
              resolve();
            }
          };
          socket.on('data', next);
          next();
        }),
    ),
  );
}

function usage({ child }: Peer): Promise<Usage> {
  return reply(child, 'usage');
}

/** Checks that both loggers wrote the same number of lines, and the same last line except for times. */
async function compareLines(peers: Peer[], format: string): Promise<void> {
  const [morgan, nozomi] = await Promise.all(peers.filter((p) => !p.variant.startsWith('bare')).map(usage));
  const normal = (line = '') => line.replace(/\d+\.\d{3} ms/, '<ms>').replace(/\[.*? \+0000\]/, '[<date>]');
  if (morgan?.lines !== nozomi?.lines || normal(morgan?.last) !== normal(nozomi?.last)) {
    throw new Error(
      `format "${format}": morgan and nozomi wrote different log lines, so it was not measured` +
        `\nmorgan: ${morgan?.lines} lines, the last: ${morgan?.last}` +
        `\nnozomi: ${nozomi?.lines} lines, the last: ${nozomi?.last}`,
    );
  }
}
