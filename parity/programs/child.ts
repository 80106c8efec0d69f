/**
 * The child process that runs generated applications with one implementation. Its arguments are the framework and the
 * logger, as arguments of `require`.
 */
import fs from 'node:fs';
import http, { type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { replyWith } from '../implementations/process';
import { HTTP_DATE, INSTANT, LOG_DATE } from '../judge/normalise';
import { interceptResolving } from '../modules';
import { Client } from './client';
import { Globals } from './globals';
import { type Kit, start } from './interpreter';
import { type Leaks, LeakWatch } from './leaks';
import type { Program, Transcript, Way } from './program';
import { show } from './value';

export interface Task {
  readonly program: Program;
  readonly way: Way;
  /** After how many turns of the event loop without an event the client stops waiting. */
  readonly patience: number;
  /** Whether to collect garbage before this run, to find requests of earlier runs that are still in memory. */
  readonly collects?: boolean;
}

export interface Report extends Transcript {
  readonly leaks: Leaks;
  /** The longest turn of the event loop, in CPU milliseconds. */
  readonly busiest: number;
  /** Whether the application changed an object that cannot be restored. The process must then not be used again. */
  readonly spent: boolean;
}

const FILES = join(__dirname, '../../fixtures/files');
/**
 * Matches applications that compress or inflate: zlib uses threads that `process.getActiveResourcesInfo` does not list.
 */
const USES_THREADS = /compression|Content-Encoding:(?:(?!\\r\\n).)*(?:gzip|deflate|br)/i;
/** Records at most this many events per application. */
const MAX_EVENTS = 1500;

// Omit stack traces: their paths would appear in responses and log lines, and differ between implementations.
Error.stackTraceLimit = 0;

const forgetWarnings = rememberDeprecations();
const [framework, logger] = process.argv.slice(2).map((name) => require(name)) as [
  Kit['framework'],
  Kit['logger'],
];
shortenLoadErrors();
// biome-ignore format: a table
const globals = new Globals([
  framework, framework.application, framework.request, framework.response,
  http.ServerResponse.prototype, http.OutgoingMessage.prototype, http.IncomingMessage.prototype, fs,
]);

const leaks = new LeakWatch();
let record: (event: string) => void = () => undefined;
const CONSOLE = ['error', 'warn', 'log'] as const;
for (const name of CONSOLE) {
  console[name] = (...args: unknown[]) => {
    record(`console ${args.map((arg) => show(arg)).join(' ')}`);
  };
}
process.on('uncaughtException', (error) => record(`uncaught ${show(error)}`));
process.on('unhandledRejection', (error) => record(`unhandled ${show(error)}`));
process.on('warning', (warning) => {
  if (warning.name !== 'DeprecationWarning') record(`warning ${warning.name}: ${warning.message}`);
});
process.on('deprecation' as 'warning', (warning) => record(`deprecated ${warning.message}`));
replyWith(run);

async function run({ program, way, patience, collects = false }: Task): Promise<Report> {
  const held = leaks.begin(collects);
  const events: string[] = [];
  const client = new Client(patience, USES_THREADS.test(JSON.stringify(program)));
  record = (event) => {
    client.onActivity();
    if (events.length < MAX_EVENTS) events.push(event);
  };
  const received: string[] = [];
  const running = start(program, { framework, logger, files: FILES, record });
  const server = await listen(running.app, way);
  running.attach(server);
  const { port } = server.address() as AddressInfo;
  for (const each of program.actions) {
    if ('send' in each) received.push(await client.play(port, each));
    else running.play(each);
  }
  await client.settle();
  server.closeAllConnections();
  server.close();
  await client.settle();
  record = () => undefined;
  const isRestored = globals.restore();
  forgetWarnings();
  const shown = withoutOwnWords([...received, ...events].map(normalise));
  return {
    received: shown.slice(0, received.length),
    events: shown.slice(received.length),
    leaks: { ...leaks.end(), held },
    busiest: client.busiest,
    spent: !isRestored,
  };
}

function listen(app: http.RequestListener & { listen(port: number): Server }, way: Way): Promise<Server> {
  const server = way === 'listen' ? app.listen(0) : http.createServer(app).listen(0);
  return new Promise((resolve, reject) => {
    server.once('listening', () => resolve(server));
    server.once('error', reject);
  });
}

/** Replaces dates, durations and the name of the framework, which differ between runs or implementations. */
function normalise(text: string): string {
  return text
    .replace(HTTP_DATE, withoutClock)
    .replace(INSTANT, withoutClock)
    .replace(LOG_DATE, withoutClock)
    .replace(/\b\d+(?:\.\d{3}\b|(?:\.\d+)?(?=ms\b))/g, '<ms>')
    .replace(/(X-Powered-By: )(?:Express|Nozomi)\b|"(?:Express|Nozomi)"/gi, '$1<framework>')
    .replace(/^(deprecated )?(?:express|nozomi|morgan|router)\b/g, '$1<framework>');
}

/** Hides a date unless it is long past, as in the cookies that `res.clearCookie` expires. */
function withoutClock(date: string): string {
  return /\b20[2-9]\d\b/.test(date) ? '<date>' : date;
}

/** Matches messages of V8 that quote the implementation's code: `Cannot read properties of undefined (reading 'x')`. */
const OWN_WORDS =
  /TypeError: (?:Cannot (?:read|set|destructure|use|convert|delete|assign|define|add|redefine)|Class extends|Function\.prototype|.{0,80} is not (?:a function|iterable|a constructor|defined|extensible))(?:.*?(?=<\/pre>)|.*)/gs;

/**
 * Replaces messages that quote the implementation's code. In such a run, also replaces lengths, ETags and the numbers
 * in log lines.
 */
function withoutOwnWords(texts: readonly string[]): string[] {
  const changed = texts.map((text) => text.replace(OWN_WORDS, '<own words>'));
  if (changed.every((text, index) => text === texts[index])) return changed;
  return changed.map((text) =>
    text
      .replace(/^[\da-f]+(?=\r\n<!DOCTYPE)/gm, '<length>')
      .replace(/(content-length"?[:,] "?)\d+/gi, '$1<length>')
      .replace(/(ETag"?: "?W\/\\?")[^"\\]+/gi, '$1<tag>')
      .replace(/^log .*/, (line) => line.replace(/\d+/g, '<number>')),
  );
}

/** Shortens the error message for a missing module to one line: the others list the files that required the module. */
function shortenLoadErrors(): void {
  interceptResolving((next) => {
    try {
      return next();
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      throw Object.assign(new Error(message.split('\n', 1)[0]), { code });
    }
  });
}

/**
 * Collects the deprecated functions of depd. depd warns once per call site, and all applications call from one site.
 *
 * @returns A function that lets depd warn again. Call it after each application.
 */
function rememberDeprecations(): () => void {
  const functions = new Set<{ _warned: object }>();
  Object.defineProperty(Function.prototype, '_warned', {
    configurable: true,
    set(this: { _warned: object }, value: object) {
      functions.add(this);
      Object.defineProperty(this, '_warned', { value, writable: true });
    },
  });
  return () => {
    for (const each of functions) each._warned = Object.create(null) as object;
  };
}
