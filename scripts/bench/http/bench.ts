// npm run bench -- http: this build beside bare node:http, Express and other peers, over loopback.
//
// Answers are compared before anything is timed. Then, per workload: a process per peer, started and warmed at
// once; short slices of a fixed number of requests, peers in random order each round; per slice the CPU time per
// request. The figure is the median of ratios to bare node:http in the same round, with its quartiles. A second
// copy of bare node:http tells the noise: more than 5 % off voids the workload's run.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Answer, ask, formatRequest, load } from './load';
import { PEERS } from './peers';
import type { Usage } from './server';
import { fileOf, WORKLOADS, type Workload, workload } from './workloads';

interface Runner {
  peer: string;
  process: ChildProcess;
  port: number;
  size: number;
  /** CPU microseconds per request, a slice each. */
  slices: number[];
  usage: Usage;
}

interface Options {
  rounds: number;
  requests: number;
  node: string;
}

const NOISE = 0.05;

const HELP = `npm run bench -- http [options]
  --workloads a,b   of ${WORKLOADS.map(({ name }) => name).join(', ')}
  --peers a,b       of ${Object.keys(PEERS).join(', ')}
  --rounds n        slices per peer, default 15
  --requests n      requests per slice, default 1500
  --node path       the Node.js that serves, default this one
  --json file       write the figures there too`;

export async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      workloads: { type: 'string' },
      peers: { type: 'string' },
      rounds: { type: 'string', default: '15' },
      requests: { type: 'string', default: '1500' },
      node: { type: 'string', default: process.execPath },
      json: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return console.log(HELP);
  const names = values.workloads?.split(',') ?? WORKLOADS.map(({ name }) => name);
  const peers = ['bare', 'bare again', ...(values.peers?.split(',') ?? ['nozomi', 'express'])];
  const unknown = peers.filter((peer) => !PEERS[peer]);
  if (unknown.length > 0)
    throw new Error(`wanted peers out of ${Object.keys(PEERS).join(', ')}; got ${unknown.join(', ')}`);
  const options = { rounds: Number(values.rounds), requests: Number(values.requests), node: values.node };

  const files = makeFiles();
  const results: Record<string, unknown> = {};
  try {
    for (const name of names)
      results[name] = await benchWorkload(workload(name), [...new Set(peers)], files, options);
  } finally {
    rmSync(files, { recursive: true, force: true });
  }
  if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
}

async function benchWorkload(
  work: Workload,
  peers: string[],
  files: string,
  options: Options,
): Promise<object> {
  const runners: Runner[] = [];
  try {
    const answers = new Map<string, Answer>();
    for (const peer of peers) {
      const runner = await start(peer, work, files, options);
      if (!runner) continue;
      const answer = await ask(runner.port, formatRequest(work));
      check(work, peer, answer);
      answers.set(peer, answer);
      runner.size = answer.size;
      runners.push(runner);
      // Warmed before the next is started: started all at once, identical code from the fourth on is slower.
      await load(runner.port, formatRequest(work), runner.size, options.requests * 2);
    }
    compareFields(work, answers);
    for (let round = 0; round < options.rounds; round++) {
      for (const runner of shuffled(runners)) await slice(runner, work, options.requests);
    }
    return report(work, runners);
  } finally {
    for (const runner of runners) runner.process.kill();
  }
}

async function start(
  peer: string,
  work: Workload,
  files: string,
  { node }: Options,
): Promise<Runner | undefined> {
  const child = fork(join(__dirname, 'server.ts'), [peer, work.name, files], {
    execPath: node,
    execArgv: ['--import', 'tsx', '--min-semi-space-size=16', '--max-semi-space-size=16'],
    env: { ...process.env, NODE_ENV: 'production', NO_DEPRECATION: '*' },
  });
  const { port } = await tell<{ port: number }>(child);
  if (port === 0) return undefined;
  return { peer, process: child, port, size: 0, slices: [], usage: { cpu: 0, rss: 0, heap: 0 } };
}

async function slice(runner: Runner, work: Workload, requests: number): Promise<void> {
  const before = await usageOf(runner.process);
  await load(runner.port, formatRequest(work), runner.size, requests);
  runner.usage = await usageOf(runner.process);
  runner.slices.push((runner.usage.cpu - before.cpu) / requests);
}

function usageOf(child: ChildProcess): Promise<Usage> {
  const usage = tell<Usage>(child);
  child.send('usage');
  return usage;
}

function tell<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`a server ended with code ${code}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as T);
    });
  });
}

function check({ name, status, answer }: Workload, peer: string, got: Answer): void {
  if (got.status !== status)
    throw new Error(`${name}: wanted status ${status} of ${peer}, got ${got.status}`);
  if (answer && got.body !== answer)
    throw new Error(`${name}: ${peer} answers ${JSON.stringify(got.body.slice(0, 80))}`);
}

/** Those that claim Express's bytes must send Express's fields, in order; but for the date. */
function compareFields({ name, status }: Workload, answers: Map<string, Answer>): void {
  const reference = answers.get('express');
  if (!reference || status === 404) return;
  const fields = (answer: Answer): string =>
    JSON.stringify(answer.fields.map(([field, value]) => [field, field === 'Date' ? '' : value]));
  for (const [peer, answer] of answers) {
    if (PEERS[peer]?.claims === 'express' && fields(answer) !== fields(reference)) {
      throw new Error(`${name}: ${peer} sends ${fields(answer)}, Express ${fields(reference)}`);
    }
  }
}

function report(work: Workload, runners: Runner[]): object {
  const base = runners.find(({ peer }) => peer === 'bare') ?? runners.find(({ peer }) => peer === 'express');
  if (!base) return {};
  const again = runners.find(({ peer }) => peer === 'bare again');
  const drift = again ? median(ratios(base, again)) : 1;
  const isVoid = Math.abs(drift - 1) > NOISE;

  console.log(
    `\n${work.name}: ${work.about}${isVoid ? ` — VOID: two copies of one server differ by ${percent(drift)}` : ''}`,
  );
  const figures: Record<string, object> = {};
  for (const runner of runners) {
    const all = ratios(base, runner).sort((a, b) => a - b);
    const [low, middle, high] = [quantile(all, 0.25), quantile(all, 0.5), quantile(all, 0.75)];
    figures[runner.peer] = {
      ratio: middle,
      quartiles: [low, high],
      cpu: median(runner.slices),
      rss: runner.usage.rss,
    };
    const spread = `${low.toFixed(2)}–${high.toFixed(2)}`;
    console.log(`  ${runner.peer.padEnd(12)} ${middle.toFixed(2)} of ${base.peer}  (${spread})`);
  }
  return { void: isVoid, base: base.peer, figures };
}

/** How many requests `runner` serves in the CPU time in which `base` serves one, round by round. */
function ratios(base: Runner, runner: Runner): number[] {
  return runner.slices.map((cpu, round) => (base.slices[round] as number) / cpu);
}

function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}

function quantile(sorted: readonly number[], q: number): number {
  const at = (sorted.length - 1) * q;
  const [low, high] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number];
  return low + (high - low) * (at - Math.floor(at));
}

function percent(ratio: number): string {
  return `${(Math.abs(ratio - 1) * 100).toFixed(0)} %`;
}

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

function makeFiles(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nozomi-bench-'));
  const modified = new Date('2020-01-01T00:00:00Z');
  for (const [name, size] of [
    ['10k.txt', 10_000],
    ['1m.txt', 1_000_000],
  ] as const) {
    writeFileSync(join(folder, name), fileOf(size));
    utimesSync(join(folder, name), modified, modified);
  }
  return folder;
}
