/**
 * The public types of the logger. L-2.1 L-2.2 L-4
 *
 * The type parameters have the names, order and defaults of @types/morgan, so that applications written for it
 * compile unchanged.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Creates middleware that writes one line per request.
 *
 * @param format The name of a format, a format string such as `':method :url'`, or a function that returns the line.
 */
declare function logger<
  Request extends IncomingMessage = IncomingMessage,
  Response extends ServerResponse = ServerResponse,
>(
  format: logger.FormatName | (string & {}) | logger.FormatFn<Request, Response>,
  options?: logger.Options<Request, Response>,
): logger.Handler<Request, Response>;

declare namespace logger {
  /** Defines or redefines the token `:name`. Strings are escaped, so that a value cannot end its line. */
  function token<
    Request extends IncomingMessage = IncomingMessage,
    Response extends ServerResponse = ServerResponse,
  >(name: string, callback: TokenCallbackFn<Request, Response>): Morgan<Request, Response>;

  /** Defines a format, so that `logger(name)` uses it. */
  function format<
    Request extends IncomingMessage = IncomingMessage,
    Response extends ServerResponse = ServerResponse,
  >(name: string, fmt: string | FormatFn<Request, Response>): Morgan<Request, Response>;

  /** Compiles a format string to a format function. @throws {TypeError} if `format` is not a string. */
  function compile<
    Request extends IncomingMessage = IncomingMessage,
    Response extends ServerResponse = ServerResponse,
  >(format: string): FormatFn<Request, Response>;

  /** Connect-style middleware: it logs the request, and always calls `callback` without an error. */
  type Handler<Request extends IncomingMessage, Response extends ServerResponse> = (
    req: Request,
    res: Response,
    callback: (err?: Error) => void,
  ) => void;

  /** Returns one log line. For `undefined` or `null`, the logger writes no line. */
  type FormatFn<
    Request extends IncomingMessage = IncomingMessage,
    Response extends ServerResponse = ServerResponse,
  > = (tokens: TokenIndexer<Request, Response>, req: Request, res: Response) => string | undefined | null;

  /** Returns the value of one token. `arg` is the text between the brackets of `:name[arg]`. */
  type TokenCallbackFn<
    Request extends IncomingMessage = IncomingMessage,
    Response extends ServerResponse = ServerResponse,
  > = (req: Request, res: Response, arg?: string | number | boolean) => string | undefined;

  /** The callbacks of all tokens, by the name of the token. */
  interface TokenIndexer<
    Request extends IncomingMessage = IncomingMessage,
    Response extends ServerResponse = ServerResponse,
  > {
    [tokenName: string]: TokenCallbackFn<Request, Response>;
  }

  /** The destination of the lines: any Writable, or an object with a `write` method. */
  interface StreamOptions {
    write(str: string): void;
  }

  interface Options<Request extends IncomingMessage, Response extends ServerResponse> {
    /**
     * Collects lines and writes them together. `'turn'`: once in each turn of the event loop, and when the process exits.
     * Deprecated, as in morgan: `true`, once a second, and a number, an interval in ms.
     */
    buffer?: boolean | number | 'turn' | undefined;
    /** Whether to write the line when the request arrives, without any value of the response. */
    immediate?: boolean | undefined;
    /** Returns true if the logger should write no line for this request. */
    skip?(req: Request, res: Response): boolean;
    /** The destination of the lines. Default: `process.stdout`. */
    stream?: StreamOptions | undefined;
    /** Returns fields of the application for each line of the formats `json`, `ecs` and `otel`. */
    fields?(req: Request, res: Response): object | null | undefined;
    /**
     * The values to hide in each line of the formats `json`, `ecs` and `otel`, as in pino: paths such as `remoteAddress`,
     * `user.email` or `*.password`, and `query.token` for a parameter in URLs.
     */
    redact?: readonly string[] | Redaction | undefined;
  }

  interface Redaction {
    readonly paths: readonly string[];
    /** The text in place of each value. Default: `[Redacted]`. */
    readonly censor?: string | undefined;
    /** Whether to remove the values. */
    readonly remove?: boolean | undefined;
  }

  /** The built-in formats; `default` is deprecated. */
  // biome-ignore format: a table
  type FormatName =
    | 'combined' | 'common' | 'default' | 'dev' | 'ecs' | 'json' | 'otel' | 'short' | 'tiny';

  /** The logger, as `token()` and `format()` return it. */
  interface Morgan<Request extends IncomingMessage, Response extends ServerResponse> {
    (
      format: FormatName | (string & {}) | FormatFn<Request, Response>,
      options?: Options<Request, Response>,
    ): Handler<Request, Response>;
    token(name: string, callback: TokenCallbackFn<Request, Response>): Morgan<Request, Response>;
    format(name: string, fmt: string | FormatFn<Request, Response>): Morgan<Request, Response>;
    compile(format: string): FormatFn<Request, Response>;
  }
}

export = logger;
