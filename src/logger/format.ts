/**
 * Compiles format strings and defines the named formats. L-2.3 L-4
 *
 * Unlike in morgan, a format string becomes a closure, not generated code. So a format string cannot inject code, and
 * the logger works under `node --disallow-code-generation-from-strings`.
 */
import { formatEcs, formatOtel } from './collector-formats';
import type { Extras } from './extras';
import { formatJson } from './json';
import { isHeadSent, type LoggedRequest, type LoggedResponse } from './logged-messages';
import { readToken, type Tokens } from './token-table';

export type FormatLine = (
  tokens: Tokens,
  req: LoggedRequest,
  res: LoggedResponse,
  extras?: Extras,
) => string | object | null | undefined;

interface Step {
  readonly token: string;
  readonly arg: string | undefined;
  /** The text between this token and the next one, or the end. */
  readonly tail: string;
}

// ":" name ["[" arg "]"], name = 2*(ALPHA / DIGIT / "_" / "-"), arg = 1*<any but "]">. Many unclosed "[" take quadratic
// time. That is safe, because only the application writes formats.
const TOKEN = /:([-\w]{2,})(?:\[([^\]]+)\])?/g;

/**
 * Compiles a format string to a function that returns the log line.
 *
 * @throws {TypeError} if `format` is not a string. The returned function throws if the format contains an unknown
 *   token.
 */
export function compile(format: unknown): (tokens: Tokens, req: unknown, res: unknown) => string {
  if (typeof format !== 'string') throw new TypeError('argument format must be a string');

  const { head, steps } = parseFormat(format);
  function anonymous(tokens: Tokens, req: unknown, res: unknown): string {
    let line = head;
    for (const { token, arg, tail } of steps) {
      line += readToken(tokens, token, arg, req, res) || '-';
      line += tail;
    }
    return line;
  }
  if (!steps.some((step) => step.token === 'bytes-sent')) withoutBytes.add(anonymous);
  return anonymous;
}

const withoutBytes = new WeakSet<object>();

/** Whether to count bytes for this format: not for `dev` and format strings without `:bytes-sent`. */
export function countsBytes(formatLine: object): boolean {
  return !withoutBytes.has(formatLine);
}

/** Whether a format has keys: `json`, `ecs` and `otel`. */
export function hasKeys(formatLine: object): boolean {
  return formatLine === formatJson || formatLine === formatEcs || formatLine === formatOtel;
}

function parseFormat(format: string): { head: string; steps: Step[] } {
  const matches = [...format.matchAll(TOKEN)];
  const steps = matches.map(({ 0: text, 1: token = '', 2: arg, index }, i) => ({
    token,
    // As in morgan, quotes and backslashes in the argument are escaped.
    arg: arg && JSON.stringify(arg).slice(1, -1),
    tail: format.slice(index + text.length, matches[i + 1]?.index),
  }));
  return { head: format.slice(0, matches[0]?.index), steps };
}

const TINY = ':method :url :status :res[content-length] - :response-time ms';
const COMMON =
  ':remote-addr - :remote-user [:date[clf]] ":method :url HTTP/:http-version" :status :res[content-length]';
const DEV = ':method :url :status :response-time ms - :res[content-length]';

export const formats: Readonly<Record<string, string | FormatLine>> = {
  combined: `${COMMON} ":referrer" ":user-agent"`,
  common: COMMON,
  default: `${COMMON.replace('[clf]', '')} ":referrer" ":user-agent"`,
  short:
    ':remote-addr :remote-user :method :url HTTP/:http-version :status :res[content-length] - :response-time ms',
  tiny: TINY,
  // Any non-empty value of NO_COLOR disables colours (https://no-color.org). It is read when this module is loaded.
  dev: process.env.NO_COLOR ? compile(DEV) : developmentFormatLine,
  json: formatJson,
  ecs: formatEcs,
  otel: formatOtel,
};
withoutBytes.add(developmentFormatLine);

/** The format `dev`, in the colour of the status. As in morgan, the function keeps the compiled formats. */
function developmentFormatLine(tokens: Tokens, req: LoggedRequest, res: LoggedResponse): string {
  // Cast, because TypeScript does not allow numbered properties on a function.
  const lines = developmentFormatLine as unknown as Record<number, ReturnType<typeof compile>>;
  const color = isHeadSent(res) ? statusColor(res.statusCode) : UNCOLORED;
  lines[color] ??= compile(
    `\x1b[0m:method :url \x1b[${color}m:status\x1b[0m :response-time ms - :res[content-length]\x1b[0m`,
  );
  return lines[color](tokens, req, res);
}

const UNCOLORED = 0;
const RED = 31;
const GREEN = 32;
const YELLOW = 33;
const CYAN = 36;

function statusColor(status: number): number {
  if (status >= 500) return RED;
  if (status >= 400) return YELLOW;
  if (status >= 300) return CYAN;
  return status >= 200 ? GREEN : UNCOLORED;
}
