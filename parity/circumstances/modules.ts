/** Agents and mocks that replace functions of `node:http` and `node:fs`. */
import fs from 'node:fs';
import http, {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Readable } from 'node:stream';
import type { Circumstance, Restore, Scene } from './circumstance';

export const AGENT_BEFORE: Circumstance = {
  what: 'an agent replaces http.createServer and http.Server.prototype.emit before the framework is loaded',
  beforeLoading: () => void trace(),
  afterListening: printCalls,
};

export const AGENT_AFTER: Circumstance = {
  what: 'an agent replaces http.createServer and http.Server.prototype.emit before the application is built',
  beforeBuilding: trace,
  afterListening: printCalls,
};

export const STUBBED_FILES: Circumstance = {
  what: 'fs.readFileSync and fs.readFile return the text of a stub when the server listens',
  afterListening: stubFiles,
  reasonNotPlayed: (_entry, { exchanges }) =>
    exchanges.some(({ request: { payload } }) => payload.length > 0)
      ? 'a body, for which Express reads a table'
      : undefined,
};

export const MOCKED_FILES: Circumstance = {
  what: 'a mock of fs.stat and fs.createReadStream has later times and upper-case contents when the server listens',
  afterListening: mockFiles,
};

const DAY = 86_400_000;

/** Replaces functions of an object. @returns A function that restores them. */
function replace<T extends object>(object: T, functions: Partial<T>): Restore {
  const before = Object.getOwnPropertyDescriptors(object);
  Object.assign(object, functions);
  return () => {
    for (const name of Object.keys(functions) as Array<keyof T>) {
      Reflect.deleteProperty(object, name);
      if (before[name]) Object.defineProperty(object, name, before[name]);
    }
  };
}

/** What the agent has seen since the last scenario. */
const calls: string[] = [];

/** Prints the calls sorted: a scenario may start a server while it responds. */
function printCalls(_server: Server, { atClose, print }: Scene): undefined {
  atClose(() => {
    for (const call of calls.splice(0).sort()) print(call);
  });
}

/** As tracers do: `createServer` passes on only the listener, and each request is noted. */
function trace(): Restore {
  const { createServer } = http;
  const { emit } = http.Server.prototype;
  const restoreServer = replace(http, {
    createServer: function (this: unknown, listener: RequestListener): Server {
      calls.push(`createServer ${typeof listener}`);
      return Reflect.apply(createServer as (listener: RequestListener) => Server, this, [
        (req: IncomingMessage, res: ServerResponse) => listener(req, res),
      ] as Parameters<typeof createServer>);
    } as typeof createServer,
  });
  const restoreEmit = replace(http.Server.prototype, {
    emit: function (this: Server, ...args: Parameters<typeof emit>) {
      if (String(args[0]) === 'request') calls.push(`request ${args.length}`);
      return Reflect.apply(emit, this, args) as boolean;
    } as typeof emit,
  });
  return () => {
    restoreEmit();
    restoreServer();
  };
}

function stubFiles(): Restore {
  return replace(fs, {
    readFileSync: (() => 'stub') as unknown as typeof fs.readFileSync,
    readFile: ((...args: unknown[]) =>
      (args.at(-1) as (error: null, text: string) => void)(null, 'stub')) as unknown as typeof fs.readFile,
  });
}

function mockFiles(): Restore {
  const { stat, readFileSync } = fs;
  const later = (stats: fs.Stats): fs.Stats =>
    Object.assign(stats, { mtime: new Date(stats.mtime.getTime() + DAY), mtimeMs: stats.mtimeMs + DAY });
  return replace(fs, {
    stat: ((path: fs.PathLike, done: (error: Error | null, stats?: fs.Stats) => void) =>
      stat(path, (error, stats) => done(error, stats && later(stats)))) as unknown as typeof fs.stat,
    createReadStream: ((path: string, { start = 0, end }: { start?: number; end?: number } = {}) => {
      const text = readFileSync(path, 'latin1').slice(start, end === undefined ? undefined : end + 1);
      return Readable.from([Buffer.from(text.toUpperCase(), 'latin1')]);
    }) as unknown as typeof fs.createReadStream,
  });
}
