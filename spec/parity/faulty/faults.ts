/**
 * Seeded faults: changes of one response, of the log, or of the output and errors of the process. The header `X-Fault`
 * of a request selects a fault in the faulty implementation.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Fault {
  /** All places that the report must list, such as `log.1`. */
  readonly places: readonly string[];
  /** Called before the application handles the request. */
  framework?(res: ServerResponse, req: IncomingMessage): void;
  /** Called with the line of morgan. @returns The line to write. */
  logger?(line: string): string;
}

export const FAULTS: Readonly<Record<string, Fault>> = {
  'a field is lost': {
    places: ['1.headers.etag'],
    framework: (res) => beforeHead(res, () => res.removeHeader('ETag')),
  },
  'a field is added': {
    places: ['1.headers.x-more'],
    framework: (res) => beforeHead(res, () => res.setHeader('X-More', '1')),
  },
  'a field is sent twice': {
    places: ['1.headers', '1.headers.etag'],
    framework: (res) => beforeHead(res, () => res.setHeader('ETag', ['"a"', '"a"'])),
  },
  'a field is spelled otherwise': {
    places: ['1.headers'],
    framework: (res) => beforeHead(res, () => replaceHeader(res, 'ETag', 'Etag')),
  },
  'two fields change places': {
    places: ['1.headers'],
    framework: (res) => beforeHead(res, () => replaceHeader(res, 'Content-Type', 'Content-Type')),
  },
  'a value differs in one character': {
    places: ['1.headers.content-type'],
    framework: (res) => beforeHead(res, () => res.setHeader('Content-Type', 'text/html; charset=UTF-8')),
  },
  'the framework claims to be the reference': {
    places: ['1.headers.x-powered-by'],
    framework: (res) => beforeHead(res, () => res.setHeader('X-Powered-By', 'Express')),
  },
  'the clock is wrong': {
    places: ['1.headers.date'],
    framework: (res) => beforeHead(res, () => res.setHeader('Date', 'Sat, 01 Jan 2000 00:00:00 GMT')),
  },
  'the status is another': {
    places: ['1.status', 'log.1'],
    framework: (res) => beforeHead(res, (args) => args.splice(0, 1, 201)),
  },
  'the reason phrase is another': {
    places: ['1.status'],
    framework: (res) => beforeHead(res, (args) => args.splice(1, 0, 'Okay')),
  },
  'one byte of the body differs': {
    places: ['1.body'],
    framework: (res) => replaceBody(res, 'hellO'),
  },
  'the body is chunked': {
    places: ['1.headers.content-length', '1.headers.transfer-encoding', '1.framing'],
    framework: (res) => beforeHead(res, () => res.removeHeader('Content-Length')),
  },
  'the body is cut short': {
    places: ['1.body', '1.connection', '1.fault'],
    framework: (res, req) => {
      replaceBody(res, 'hel');
      res.on('finish', () => req.socket.destroy());
    },
  },
  'bytes follow the body': {
    places: ['1.surplus'],
    framework: (res, req) => void res.on('finish', () => req.socket.write('more')),
  },
  'the connection is not kept': {
    places: ['1.connection', '1.headers.connection', '1.headers.keep-alive'],
    framework: (res) => {
      res.shouldKeepAlive = false;
    },
  },
  'nothing is answered': {
    places: [
      '1.status',
      '1.headers',
      '1.headers.x-powered-by',
      '1.headers.content-type',
      '1.headers.content-length',
      '1.headers.etag',
      '1.headers.date',
      '1.headers.connection',
      '1.headers.keep-alive',
      '1.framing',
      '1.body',
      '1.connection',
      '1.fault',
      'log.1',
    ],
    framework: (res) => {
      res.end = () => res;
    },
  },
  'something goes to standard error': {
    places: ['stderr.1'],
    framework: () => console.error('a warning'),
  },
  'something goes to standard output': {
    places: ['stdout.1'],
    framework: () => console.log('a greeting'),
  },
  'a deprecation is announced': {
    places: ['deprecations.1'],
    framework: () =>
      void process.emit('deprecation' as 'warning', Object.assign(new Error('old'), { namespace: 'x' })),
  },
  'an error is let fall': {
    places: ['uncaught.1'],
    framework: () =>
      void setImmediate(() => {
        throw new Error('fallen');
      }),
  },
  'a log line is lost': { places: ['log.1'], logger: () => '' },
  'a log line is written twice': { places: ['log.2'], logger: (line) => line + line },
  'a log line is not ended': { places: ['log.1'], logger: (line) => line.trimEnd() },
  'a log line says another status': { places: ['log.1'], logger: (line) => line.replace('200', '201') },
  'a duration has one decimal less': { places: ['log.1'], logger: (line) => line.replace(/\d ms/, ' ms') },
};

/** Calls `change` with the arguments of `writeHead`, before the headers are sent. */
function beforeHead(res: ServerResponse, change: (args: unknown[]) => void): void {
  const { writeHead } = res;
  res.writeHead = function (this: ServerResponse, ...args: unknown[]) {
    change(args);
    return Reflect.apply(writeHead, this, args) as ServerResponse;
  } as typeof writeHead;
}

/** Renames a header, which then comes last. */
function replaceHeader(res: ServerResponse, name: string, as: string): void {
  const value = res.getHeader(name) ?? '';
  res.removeHeader(name);
  res.setHeader(as, value);
}

function replaceBody(res: ServerResponse, body: string): void {
  const { end } = res;
  res.end = ((_chunk: unknown, ...rest: unknown[]) =>
    Reflect.apply(end, res, [body, ...rest]) as ServerResponse) as typeof end;
}
