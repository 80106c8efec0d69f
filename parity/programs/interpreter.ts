/** Runs a generated application with a framework and a logger. */
import fs from 'node:fs';
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable, type Writable } from 'node:stream';
import { buildExample } from './example';
import {
  type FsFunction,
  type Handler,
  type Override,
  type PathSpec,
  type Program,
  type RouterSpec,
  type Statement,
  type Step,
  toPath,
  type Value,
} from './program';
import { type Context, nameIt, revive, show, showAll } from './value';

export interface Kit {
  // biome-ignore lint/suspicious/noExplicitAny: an application calls any method
  readonly framework: any;
  // biome-ignore lint/suspicious/noExplicitAny: an application calls any method
  readonly logger: any;
  /** The folder with the static files of the application. */
  readonly files: string;
  /** Called with a line of text for each event to compare, such as a call of a handler. */
  readonly record: (event: string) => void;
}

export interface Running {
  readonly app: http.RequestListener & { listen(port: number): Server };
  attach(server: Server): void;
  play(statement: Statement): void;
}

// biome-ignore lint/suspicious/noExplicitAny: an application reads and calls any property of these objects
type Scope = Record<string, any>;

/** The maximum number of steps per application, to stop handlers that call themselves. */
const BUDGET = 400;
/** The maximum depth of overrides that call each other. */
const NESTING = 6;

export function start(program: Program, kit: Kit): Running {
  const { framework, record, files } = kit;
  let budget = BUDGET;
  let nesting = 0;
  let handlers = 0;
  const globals: Scope = { framework, http };

  const context: Context = {
    record,
    files,
    run: (steps, self, args) => run(steps, scopeOf(globals, self, args)),
  };
  const toValue = (value: Value): unknown => revive(value, context);
  const toValues = (values: readonly Value[]): unknown[] => values.map(toValue);

  function run(steps: readonly Step[], scope: Scope): unknown {
    let result: unknown;
    for (const step of steps) {
      if (--budget < 0) return undefined;
      result = runStep(step, scope) ?? result;
    }
    return result;
  }

  function runStep(step: Step, scope: Scope): unknown {
    if ('call' in step) {
      const [owner, name] = resolve(step.call, scope);
      const self = step.on === undefined ? owner : read(step.on, scope);
      const result = Reflect.apply(owner[name], self, toValues(step.args));
      record(`${step.call}() → ${show(result)}`);
    } else if ('read' in step) {
      record(`${step.read} = ${show(read(step.read, scope))}`);
    } else if ('assign' in step) {
      const [owner, name] = resolve(step.assign, scope);
      owner[name] = toValue(step.value);
    } else if ('remove' in step) {
      const [owner, name] = resolve(step.remove, scope);
      delete owner[name];
    } else if ('next' in step) {
      if (scope.next) scope.next(...toValues(step.next));
    } else if ('raise' in step) {
      throw toValue(step.raise);
    } else if ('later' in step) {
      return runLater(step, scope);
    } else if ('override' in step) {
      override(step, scope);
    } else if ('accessor' in step) {
      defineAccessor(step, scope);
    } else if ('freeze' in step) {
      const change: (object: unknown) => unknown = Object[step.how];
      change(read(step.freeze, scope));
    } else {
      const [owner, name] = resolve(step.replace, scope);
      const members = Object.entries(step.members).map(([key, value]) => [key, propertyOf(toValue(value))]);
      owner[name] = Object.create(owner[name], Object.fromEntries(members));
    }
    return undefined;
  }

  function runLater({ later, steps }: Extract<Step, { later: unknown }>, scope: Scope): unknown {
    if (later === 'promise') return Promise.resolve().then(() => run(steps, scope));
    const task = () => void run(steps, scope);
    if (later === 'nextTick') process.nextTick(task);
    else if (later === 'microtask') queueMicrotask(task);
    else setImmediate(task);
    return undefined;
  }

  function override({ override: place, before, pass, after, fixed }: Override, scope: Scope): void {
    const [owner, name] = resolve(place, scope);
    const original = owner[name];
    function wrapper(this: unknown, ...args: unknown[]): unknown {
      record(`${place}(${showAll(args)})`);
      const inner = { ...scope, ...scopeOf(globals, this, []) };
      const mayRun = nesting < NESTING;
      nesting++;
      try {
        if (mayRun) run(before, inner);
        let result: unknown;
        if (pass !== 'none' && typeof original === 'function')
          result = Reflect.apply(original, this, pass === 'same' ? args : toValues(pass));
        if (mayRun) run(after, inner);
        return result;
      } finally {
        nesting--;
      }
    }
    if (fixed) Object.defineProperty(owner, name, { value: wrapper, configurable: true });
    else owner[name] = wrapper;
  }

  function defineAccessor(step: Extract<Step, { accessor: unknown }>, scope: Scope): void {
    const { accessor, value, settable } = step;
    const [owner, name] = resolve(accessor, scope);
    Object.defineProperty(owner, name, {
      configurable: true,
      enumerable: true,
      get: () => toValue(value),
      ...(settable && { set: (given: unknown) => record(`set ${accessor} ${show(given)}`) }),
    });
  }

  function toHandler(handler: Handler, scope: Scope, takesError = handler.arity === 4): unknown {
    const id = handlers++;
    const { arity, look, steps } = handler;
    const handle = (args: unknown[], self: unknown): unknown => {
      const [err, req, res, next, ...rest] = (takesError ? args : [undefined, ...args]) as Scope[];
      const about = [
        takesError ? show(err) : '',
        rest.length > 0 ? showAll(rest) : '',
        lookAt(req as Scope, look),
      ];
      record(`handler ${id} ${about.filter(Boolean).join(' ')}`);
      return run(steps, { ...scope, err, req, res, next, this: self });
    };
    const made = handler.async
      ? async function (this: unknown, ...args: unknown[]) {
          return handle(args, this);
        }
      : function (this: unknown, ...args: unknown[]) {
          return handle(args, this);
        };
    return Object.defineProperty(made, 'length', { value: arity });
  }

  function fill(spec: RouterSpec, parent: Scope): Scope {
    const isApplication = spec.kind === 'application';
    const made = isApplication ? framework() : framework.Router(spec.options && toValue(spec.options));
    const scope: Scope = { ...parent, router: made };
    if (isApplication) {
      const name = `app${Object.keys(globals).filter((key) => /^app\d/.test(key)).length}`;
      nameIt(made, name);
      globals[name] = made;
      scope.app = made;
    } else nameIt(made, 'router');
    for (const statement of spec.build) play(statement, scope);
    return scope;
  }

  function play(statement: Statement, scope: Scope): void {
    try {
      runStatement(statement, { ...scope, ...globals });
    } catch (error) {
      record(`threw ${show(error)}`);
    }
  }

  function runStatement(statement: Statement, scope: Scope): void {
    const { router } = scope;
    if ('use' in statement) {
      router.use(...pathOf(statement.path), ...statement.use.map((handler) => toHandler(handler, scope)));
    } else if ('mount' in statement) {
      router.use(...pathOf(statement.path), fill(statement.mount, scope).router);
    } else if ('route' in statement) {
      const added = statement.handlers.map((handler) => toHandler(handler, scope));
      const path = toPath(statement.path);
      if (statement.chain) router.route(path)[statement.route](...added);
      else router[statement.route](path, ...added);
    } else if ('param' in statement) {
      router.param(statement.param, toHandler(statement.handler, scope, false));
    } else if ('set' in statement) {
      scope.app.set(statement.set, toValue(statement.value));
    } else if ('parser' in statement) {
      router.use(framework[statement.parser](...optionsOf(statement.options)));
    } else if ('files' in statement) {
      router.use(...pathOf(statement.path), framework.static(files, toValue(statement.files)));
    } else if ('log' in statement) {
      const options = { ...(toValue(statement.options) as object), stream: toStream(record) };
      router.use(kit.logger(toValue(statement.log), options));
    } else if ('engine' in statement) {
      scope.app.engine(
        statement.engine,
        (path: string, options: object, done: (...args: unknown[]) => void) => {
          record(`engine ${path} ${Object.keys(options).join()}`);
          run(statement.steps, scope);
          done(...toValues(statement.output));
        },
      );
    } else if ('middleware' in statement) {
      router.use(MIDDLEWARE[statement.middleware]?.(toValue(statement.options ?? null)));
    } else if ('example' in statement) {
      router.use(
        buildExample({ framework, logger: kit.logger, log: toStream(record), files }, statement.example),
      );
    } else if ('fs' in statement) {
      replaceFs(statement.fs, statement.how);
    } else if ('stack' in statement) {
      changeStack(statement.stack, stackOf(router));
    } else run(statement.steps, scope);
  }

  const optionsOf = (options: Value | undefined): unknown[] =>
    options === undefined ? [] : [toValue(options)];

  const main = fill({ kind: 'application', build: program.build }, globals);
  return {
    app: main.app,
    play: (statement) => play(statement, main),
    attach(server) {
      globals.server = server;
      nameIt(server, 'server');
      for (const { event, first, steps } of program.listeners) {
        server[first ? 'prependListener' : 'on'](event, function listener(this: unknown, ...args: unknown[]) {
          record(`listener ${event}`);
          run(steps, { ...main, ...globals, ...scopeOf(globals, this, args) });
        });
      }
    },
  };
}

function toStream(record: (event: string) => void): Writable {
  return { write: (line: string) => record(`log ${JSON.stringify(line)}`) } as unknown as Writable;
}

/** Third-party middleware that overrides methods of the response, sets headers or changes the request. */
const MIDDLEWARE: Readonly<Record<string, (options: unknown) => unknown>> = {
  compression: (options) => require('compression')(options ?? {}),
  'cookie-parser': (options) => require('cookie-parser')(options ?? undefined),
  'express-session': (options) =>
    require('express-session')({
      secret: 's',
      resave: false,
      saveUninitialized: true,
      genid: () => 'id',
      ...(options as object),
    }),
  'response-time': () => require('response-time')(),
  'method-override': () => require('method-override')(),
  helmet: () => require('helmet')(),
  'late end': () => (_req: unknown, res: ServerResponse, next: () => void) => {
    const { end } = res;
    res.end = function endLater(this: unknown, ...args: unknown[]) {
      setImmediate(() => Reflect.apply(end, this, args));
      return res;
    } as typeof res.end;
    next();
  },
  'failing writes':
    () =>
    (_req: unknown, { socket }: ServerResponse, next: () => void) => {
      if (socket)
        socket.write = () => {
          throw new Error('write failed');
        };
      next();
    },
  'broken connection':
    () =>
    (_req: unknown, { socket }: ServerResponse, next: () => void) => {
      setImmediate(() => socket?.destroy(new Error('broken')));
      next();
    },
  'no listeners': () => (req: IncomingMessage, res: ServerResponse, next: () => void) => {
    res.removeAllListeners();
    req.removeAllListeners();
    next();
  },
  'own copies': () => (req: IncomingMessage, res: ServerResponse, next: () => void) => {
    Object.defineProperty(req, 'url', { value: req.url, writable: true, configurable: true });
    Object.defineProperty(res, 'statusCode', { value: res.statusCode, writable: true, enumerable: true });
    Object.freeze(req.headers);
    next();
  },
  cors: (options) => require('cors')(options ?? {}),
};

/** Replaces a function of `node:fs`, as graceful-fs and the mocks of tests do. */
function replaceFs(name: FsFunction, how: 'throw' | 'fail' | 'late'): void {
  const owner = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  const original = owner[name] as (...args: unknown[]) => unknown;
  const failure = (): Error => Object.assign(new Error('EIO: replaced'), { code: 'EIO' });
  owner[name] = function replaced(this: unknown, ...args: unknown[]): unknown {
    const callback = args.at(-1);
    if (how === 'throw' || (how === 'fail' && name === 'statSync')) throw failure();
    if (name === 'createReadStream') {
      if (how === 'fail') return new Readable({ read() {} }).destroy(failure());
      const options = typeof args[1] === 'string' ? { encoding: args[1] } : args[1];
      return Reflect.apply(original, this, [args[0], { ...(options as object), highWaterMark: 3 }]);
    }
    if (typeof callback !== 'function') return Reflect.apply(original, this, args);
    if (how === 'fail') return void setImmediate(() => callback(failure()));
    return void setImmediate(() => Reflect.apply(original, this, args));
  };
}

/** The layers of a router or an application. Only an application of 5.x has them in its property `router`. */
function stackOf(router: Scope): unknown[] {
  return router.stack ?? (router._router ?? router.router).stack;
}

function changeStack(change: 'hole' | 'reverse' | 'drop' | 'twice', stack: unknown[]): void {
  if (change === 'hole') stack.unshift(undefined);
  else if (change === 'reverse') stack.reverse();
  else if (change === 'drop') stack.pop();
  else stack.push(...stack.slice(-1));
}

function scopeOf(globals: Scope, self: unknown, args: readonly unknown[]): Scope {
  const { req, res } = (self ?? {}) as Scope;
  const isResponse = self instanceof http.ServerResponse;
  const isRequest = self instanceof http.IncomingMessage;
  const found: Scope = {
    req: isRequest ? self : isResponse ? req : undefined,
    res: isResponse ? self : isRequest ? res : undefined,
  };
  for (const arg of args) {
    if (arg instanceof http.IncomingMessage) found.req = arg;
    else if (arg instanceof http.ServerResponse) found.res = arg;
    else if (typeof arg === 'function') found.next = arg;
  }
  for (const name of ['req', 'res']) if (!found[name]) delete found[name];
  return { ...globals, this: self, ...found };
}

/**
 * @returns The value of a place such as `req.app.settings`.
 * @throws TypeError if an intermediate value is undefined.
 */
function read(place: string, scope: Scope): unknown {
  const [owner, name] = resolve(place, scope);
  return owner[name];
}

function resolve(place: string, scope: Scope): [owner: Scope, name: string] {
  const names = place.split('.');
  const name = names.pop() as string;
  let owner = scope;
  for (const each of names) owner = owner[each];
  return [owner, name];
}

function propertyOf(value: unknown): PropertyDescriptor {
  return { value, configurable: true, enumerable: true, writable: true };
}

function pathOf(path: PathSpec | undefined): unknown[] {
  return path === undefined ? [] : [toPath(path)];
}

function lookAt(req: Scope, look: Handler['look']): string {
  if (look === 'nothing') return '';
  const brief = [
    `${req.method} ${req.url}`,
    `base=${req.baseUrl}`,
    `original=${req.originalUrl}`,
    show(req.params),
  ];
  if (look === 'path') return brief.join(' ');
  const route = req.route as { path?: unknown } | undefined;
  return [
    ...brief,
    `query=${show(req.query)}`,
    `route=${route ? show(route.path) : ''}`,
    `keys=${Object.keys(req).join()}`,
  ].join(' ');
}
