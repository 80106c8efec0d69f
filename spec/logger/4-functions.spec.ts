import { expect } from 'chai';
import logger from 'nozomi/logger';
import { Log } from './support/log';
import { morgan } from './support/reference';
import { ask } from './support/serve';

type Members = Record<string, unknown> & typeof logger;
const members = logger as Members;

async function lineOf(format: Parameters<typeof logger>[0]): Promise<string> {
  const log = new Log();
  const middleware = logger(format, { stream: log });
  await ask((req, res) => middleware(req, res, () => res.end('hello')), '/path');
  return (await log.until(1))[0] as string;
}

/** Calls `run`, which may define a token or format with this name, and restores the former one. */
async function defining<T>(name: string, run: () => Promise<T>): Promise<T> {
  const before = Object.getOwnPropertyDescriptor(members, name);
  try {
    return await run();
  } finally {
    if (before) Object.defineProperty(members, name, before);
    else delete members[name];
  }
}

/** @returns The deprecation warnings that `run` causes. */
function deprecations(run: () => void): string[] {
  const messages: string[] = [];
  const listener = (error: Error & { namespace?: string }) =>
    messages.push(`${error.namespace}: ${error.message}`);
  process.on('deprecation', listener);
  try {
    run();
  } finally {
    process.off('deprecation', listener);
  }
  return messages;
}

describe('logger(), logger.token(), logger.format(), logger.compile() (L-4)', () => {
  it('logger() needs no options [L-4-01 L-4-02]', () => {
    expect(logger('tiny')).to.be.a('function');
  });

  for (const [what, call, message] of [
    ['no format', (l: CallableFunction) => l(), 'undefined format: specify a format'],
    [
      'options alone',
      (l: CallableFunction) => l({ format: 'tiny' }),
      'morgan(options): use morgan("tiny", options) instead',
    ],
    [
      'options without a format',
      (l: CallableFunction) => l({}),
      'morgan(options): use morgan("default", options) instead',
    ],
    [
      'options with a function',
      (l: CallableFunction) => l({ format: () => 'x' }),
      'morgan(options): use morgan(format, options) instead',
    ],
    ['the format default', (l: CallableFunction) => l('default'), 'default format: use combined format'],
    ['the option buffer', (l: CallableFunction) => l('tiny', { buffer: true }), 'buffer option'],
  ] as const) {
    it(`a call ${what} prints the deprecation warning of morgan [L-4-03]`, () => {
      const ours = deprecations(() => call(logger));

      expect(ours).to.contain(`morgan: ${message}`);
      expect(ours).to.deep.equal(deprecations(() => call(morgan)));
    });
  }

  it('logger() without a format writes the format default [L-4-03]', async () => {
    let line: Promise<string> | undefined;
    deprecations(() => {
      line = lineOf(undefined as never);
    });

    expect(await line).to.match(
      /^127\.0\.0\.1 - - \[\w{3}, .* GMT\] "GET \/path HTTP\/1\.1" 200 - "-" "-"\n$/,
    );
  });

  it('token() defines a token, called with request and response, and returns the logger [L-4-04]', async () => {
    await defining('spec-length', async () => {
      let count = 0;
      const returned = logger.token('spec-length', (...args) => {
        count = args.length;
        return String(args[0].url?.length);
      });

      expect(returned).to.equal(logger);
      expect(await lineOf(':spec-length')).to.equal('5\n');
      expect(count).to.equal(2);
    });
  });

  it('a token that returns undefined, an empty string or 0 is written as - [L-4-04]', async () => {
    await defining('spec-empty', async () => {
      for (const nothing of [undefined, '', 0, null, false]) {
        logger.token('spec-empty', () => nothing as never);
        expect(await lineOf(':spec-empty|:url')).to.equal('-|/path\n');
      }
    });
  });

  it('a number or an object that a token returns is converted to a string [L-4-04]', async () => {
    await defining('spec-any', async () => {
      logger.token('spec-any', () => 12.5 as never);
      expect(await lineOf(':spec-any')).to.equal('12.5\n');
      logger.token('spec-any', () => ({ valueOf: () => 'value "of"' }) as never);
      expect(await lineOf(':spec-any')).to.equal('value "of"\n');
    });
  });

  it('token() with a known name replaces that token, also in formats compiled before [L-4-05]', async () => {
    await defining('method', async () => {
      const compiled = logger.compile(':method');
      logger.token('method', () => 'REPLACED');

      expect(await lineOf(compiled)).to.equal('REPLACED\n');
    });
  });

  it('a token assigned as a property is not escaped, as in morgan [L-4-05]', async () => {
    await defining('spec-bare', async () => {
      members['spec-bare'] = () => 'a"b';

      expect(await lineOf(':spec-bare')).to.equal('a"b\n');
    });
  });

  it('a token receives the text in brackets as its third argument [L-4-06 L-4-16]', async () => {
    await defining('spec-arg', async () => {
      logger.token('spec-arg', (...args) => `${args.length}${args[2]}`);

      expect(await lineOf(':spec-arg[pretty]')).to.equal('3pretty\n');
    });
  });

  it('a token receives one string for any text in brackets [L-4-07]', async () => {
    await defining('spec-arg', async () => {
      logger.token('spec-arg', (...args) => JSON.stringify(args.slice(2)));

      expect(await lineOf(logger.compile(':spec-arg[a,b]'))).to.equal('[\\"a,b\\"]\n');
    });
  });

  it('a token receives quotes and backslashes in brackets as morgan passes them [L-4-07]', () => {
    const args = (create: typeof logger) => {
      const seen: unknown[] = [];
      const tokens = { tk: (_req: unknown, _res: unknown, arg: unknown) => void seen.push(arg) };
      create.compile(':tk[a"b] :tk[a\\b] :tk[a\nb] :tk[\u2028é]')(tokens as never, {} as never, {} as never);
      return seen;
    };

    expect(args(logger)).to.deep.equal(args(morgan as never));
  });

  it('compile() returns a function of tokens, request and response that returns a line [L-4-08 L-4-09]', () => {
    const compiled = logger.compile(':url!');

    expect(compiled).to.have.length(3);
    expect(compiled.name).to.equal(morgan.compile(':url!').name);
    expect(compiled({ url: () => '/x' }, {} as never, {} as never)).to.equal('/x!');
  });

  it('compile() throws a TypeError for anything but a string [L-4-08]', () => {
    for (const format of [undefined, null, 1, {}, () => 'x']) {
      expect(() => logger.compile(format as never)).to.throw(TypeError, /^argument format must be a string$/);
    }
  });

  it('a format with an unknown token throws the error of morgan when the line is written [L-4-08]', () => {
    for (const format of [':no-such', ':123', 'a :-- b']) {
      const message = (create: typeof logger) => {
        try {
          create.compile(format)(create as never, {} as never, {} as never);
        } catch (error) {
          return (error as Error).message;
        }
        return 'nothing thrown';
      };

      expect(message(logger))
        .to.equal(message(morgan as never))
        .and.to.contain('is not a function');
    }
  });

  it('compile() returns a function that returns an empty line for an empty format [L-4-10]', () => {
    expect(logger.compile('')({}, {} as never, {} as never)).to.equal('');
  });

  it('format() defines a named format from a string and returns the logger [L-4-11]', async () => {
    await defining('spec-named', async () => {
      expect(logger.format('spec-named', ':method only')).to.equal(logger);
      expect(await lineOf('spec-named')).to.equal('GET only\n');
    });
  });

  it('format() defines a named format from a function and returns the logger [L-4-12]', async () => {
    await defining('spec-named', async () => {
      logger.format('spec-named', (tokens, req, res) => `<${tokens.url?.(req, res)}>`);

      expect(await lineOf('spec-named')).to.equal('</path>\n');
    });
  });

  it('logger() accepts the function of compile() as a format [L-4-13]', async () => {
    expect(await lineOf(logger.compile(':method :url'))).to.equal('GET /path\n');
  });

  it('a format function receives exactly three arguments [L-4-14]', async () => {
    expect(await lineOf((...args: unknown[]) => String(args.length))).to.equal('3\n');
  });

  it('the middleware of logger() calls next once, without arguments, before the response [L-4-17]', async () => {
    const middleware = logger('x', { stream: new Log() });
    const calls: unknown[][] = [];

    await ask((req, res) => {
      middleware(req, res, (...args) => calls.push(args));
      res.end();
    });

    expect(calls).to.deep.equal([[]]);
  });

  it('the middleware sets the properties of morgan on request and response before it calls next [L-4-17]', async () => {
    const middleware = logger('x', { stream: new Log() });
    const marks = await new Promise<Record<string, unknown>[]>((resolve) => {
      ask((req, res) =>
        middleware(req, res, () => {
          const before = { ...res } as Record<string, unknown>;
          res.end();
          resolve([req as never, before, res as never]);
        }),
      );
    });
    const [req, before, after] = marks as [never, never, never] as Record<string, unknown>[];

    expect(req?._startAt).to.have.length(2);
    expect(req?._startTime).to.be.a('date');
    expect(req?._remoteAddress).to.equal('127.0.0.1');
    expect(before).to.include({ _startAt: undefined, _startTime: undefined });
    expect(after?._startAt).to.have.length(2);
    expect(after?._startTime).to.be.a('date');
  });

  it('the middleware records the start of a request with millisecond resolution [L-4-17]', () => {
    const { now } = Date;
    const middleware = logger('x', { stream: new Log(), immediate: true });
    const starts = [1000, 1000, 1001].map((at) => {
      Date.now = () => at;
      const req = { headers: {} } as { _startTime?: Date };
      try {
        middleware(req as never, {} as never, () => {});
      } finally {
        Date.now = now;
      }
      return req._startTime?.getTime();
    });

    expect(starts).to.deep.equal([1000, 1000, 1001]);
  });

  it('the logger has the properties of morgan first, in the same order [L-4-08 L-2.3-01]', () => {
    const names = Object.keys(morgan);
    const ours = Object.keys(logger).filter((name) => names.includes(name));

    expect(ours).to.deep.equal(names);
    expect(Object.keys(logger).filter((name) => !names.includes(name))).to.deep.equal([
      'json',
      'ecs',
      'otel',
      'route',
      'aborted',
      'id',
      'trace-id',
      'span-id',
      'bytes-sent',
    ]);
  });
});
