// The child process that serves one workload with one peer. Messages and replies:
//   { peer, work, files, isQuiet } → { port }: starts the server; port 0 if the peer has none for the workload
//   { usage }             → { cpu }: CPU microseconds of the process so far
//   { memory }            → { rss, heap }: bytes resident, and of the heap after a garbage collection (--expose-gc)
//
// The process can also send requests to its own server through memory, without a network:
//   { exchange: { request, size } } → {}: sets the request, and the length of one response in bytes
//   { warm: count }       → { cpu, throughput }: warms up with at most this many requests; figures of the last step
//   { run: count }        → { cpu, throughput }: CPU microseconds per request, and requests per second
//   { profile: count }    → { places }: the share of the CPU time by place, as "function url:line"
const { Session } = require('node:inspector/promises');
const { MemorySocket } = require('./js/memory-socket.cjs');
const { open } = require('./programs/open.cjs');

/**
 * The warm-up ends after this many CPU microseconds, even if fewer requests than wanted were sent. On a slow processor a
 * lower limit ends the warm-up of the longer programs before V8 has optimised them, and bare node:http seems faster.
 */
const LONG = 2_000_000;
/** Requests per step of the warm-up, which checks the limits after each step. */
const STRETCH = 500;

let server;
let exchange;

process.on('disconnect', () => process.exit());
process.on('message', (message) => {
  answerTo(message).then(
    (answer) => process.send(answer),
    (err) => process.send({ problem: err.stack }),
  );
});

async function answerTo(message) {
  if (message.run) return sample(message.run);
  if (message.warm) return warm(message.warm);
  if (message.profile) return { places: await profile(message.profile) };
  if (message.exchange) {
    exchange = { request: Buffer.from(message.exchange.request), size: message.exchange.size };
    return {};
  }
  if (message.usage) return { cpu: cpu() };
  if (message.memory) return memory();
  const log = message.isQuiet ? { write() {} } : process.stdout;
  server = await open(message.peer, { ...message, log });
  return { port: server ? server.address().port : 0 };
}

async function warm(count) {
  let last;
  for (let done = 0, spent = 0; done < count && spent < LONG; done += STRETCH) {
    last = await sample(STRETCH);
    spent += last.cpu * STRETCH;
  }
  return last;
}

async function sample(count) {
  const [start, started] = [cpu(), performance.now()];
  await converse(count);
  const seconds = (performance.now() - started) / 1000;
  return { cpu: (cpu() - start) / count, throughput: count / seconds };
}

function converse(count, turn) {
  return new Promise((resolve, reject) => {
    const done = (err) => {
      socket.destroy();
      if (err) reject(err);
      else resolve();
    };
    const socket = new MemorySocket(exchange.request, { size: exchange.size, count, done, turn });
    server.emit('connection', socket);
    socket.ask();
  });
}

function cpu() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function memory() {
  const rss = process.memoryUsage.rss();
  globalThis.gc();
  return { rss, heap: process.memoryUsage().heapUsed };
}

async function profile(count) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 100 });
  await session.post('Profiler.start');
  // Use ticks instead of setImmediate: V8's profiler counts most of a turn of the event loop as idle. Two ticks, so that
  // Node.js has finished the response.
  await converse(count, (act) => process.nextTick(process.nextTick, act));
  const { nodes, samples } = (await session.post('Profiler.stop')).profile;
  session.disconnect();
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const places = {};
  for (const id of samples) {
    const { functionName, url, lineNumber } = frames.get(id);
    if (functionName === '(idle)') continue;
    const place = `${functionName || '(anonymous)'} ${url}:${lineNumber + 1}`;
    places[place] = (places[place] ?? 0) + 1 / samples.length;
  }
  return places;
}
