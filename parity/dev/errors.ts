/** Prints the errors of a running application, with the lines of the source around them. */
import { existsSync, readFileSync } from 'node:fs';
import { MEMBERS } from '../inspect/findings/members';
import { shown } from '../inspect/format';
import type { Site } from '../inspect/model';
import type { Listen } from '../inspect/registrations';
import { isOfApplication, sitesIn } from '../inspect/sites';
import type { Notes } from './notes';

/** How many lines to show before and after that of the error. */
const AROUND = 2;

export class Errors {
  readonly #notes: Notes;
  readonly #home: string;
  readonly #listens: readonly Listen[];
  readonly #seen = new WeakSet<object>();

  /**
   * @param home The folder of the application's package.
   * @param listens The calls of `listen()` so far; grows.
   */
  constructor(notes: Notes, home: string, listens: readonly Listen[]) {
    this.#notes = notes;
    this.#home = home;
    this.#listens = listens;
  }

  /** Prints an error that a handler threw, unless it is one for the client, such as a 404. */
  ofHandler(error: unknown, request: string): void {
    const { status, statusCode = status, code } = Object(error);
    // A note has said which call responded before.
    if (code === 'ERR_HTTP_HEADERS_SENT') return;
    if (!(error instanceof Error) || Number(statusCode) < 500) return;
    this.#print(error, [`  ${request}`]);
  }

  /** Prints an error that ends the process. */
  uncaught(error: unknown, origin: NodeJS.UncaughtExceptionOrigin): void {
    if (!(error instanceof Error)) return;
    const { code, port } = error as NodeJS.ErrnoException & { port?: unknown };
    if (code === 'EADDRINUSE') {
      const listens = this.#listens.filter(({ place }) => place?.split(/[ :]/).at(-1) === String(port));
      const [first] = listens.length > 1 ? listens : [];
      const other = first ? `the server in ${shown(first.site)}` : 'another process';
      this.#notes.printLines('error', undefined, [`error  ${error.message}`, `  ${other} listens there`]);
      return;
    }
    const isPromise = origin === 'unhandledRejection';
    this.#print(error, [
      isPromise
        ? '  No handler waits for this promise, so the error ends the process: return the promise, or await it'
        : '  Express catches what a handler itself throws; this error ends the process: a callback passes it to next(err)',
    ]);
  }

  #print(error: Error, why: readonly string[]): void {
    if (this.#seen.has(error)) return;
    this.#seen.add(error);
    const site = sitesIn(error.stack ?? '').find(({ file }) => isOfApplication(file, this.#home));
    const source = site ? linesOf(site) : [];
    const hint = site && hintFor(error.message, source[site.line - 1] ?? '', site.column ?? 0);
    this.#notes.printLines(`error ${error.message}`, site, [
      `error  ${error.name}: ${error.message}  ${shown(site)}`.trimEnd(),
      ...(site ? frameOf(site, source) : []),
      ...why,
      ...(hint ? [`  ${hint}`] : []),
    ]);
  }
}

function linesOf({ file }: Site): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split(/\r?\n/) : [];
}

/** The lines around a place; a `>` is before its line, and a `^` below its column. */
function frameOf({ line, column = 1 }: Site, source: readonly string[]): string[] {
  const start = Math.max(1, line - AROUND);
  const width = String(line + AROUND).length;
  return source.slice(start - 1, line + AROUND).flatMap((text, index) => {
    const number = start + index;
    const row = `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${text}`;
    return number === line ? [row, `${' '.repeat(width + 2)} | ${' '.repeat(column - 1)}^`] : [row];
  });
}

/** What sets the property of the request that is undefined where an error was thrown. */
function hintFor(message: string, line: string, column: number): string | undefined {
  const [, read] =
    /^Cannot (?:read|set) properties of undefined \((?:reading|setting) '(.*)'\)$/.exec(message) ?? [];
  if (read === undefined) return undefined;
  const before = line.slice(0, column + read.length);
  const name = /\breq(?:uest)?\.(\w+)[.[]\W*\w*$/.exec(before)?.[1] ?? '';
  return Object.hasOwn(MEMBERS, name) ? `req.${name} is undefined: ${MEMBERS[name]?.by} sets it` : undefined;
}
