/** Finds the source positions of functions with node:inspector, without opening a debugger port. */

import { Session } from 'node:inspector';
import { findSourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

type AnyFunction = (...args: never[]) => unknown;

/** A position in a source file, counted from 0: that of the parameters of a function. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** @returns The location of each function whose file is known. Empty where Node.js has no inspector. */
export function locationsOf(functions: Iterable<AnyFunction>): Map<AnyFunction, Location> {
  const found = new Map<AnyFunction, Location>();
  const files = new Map<string, string>();
  let session: Session | undefined;
  const asked: AnyFunction[] = [...functions];
  // The inspector can evaluate only what a global names.
  const key = Symbol.for('nozomi.openapi.asked');
  try {
    session = new Session();
    session.connect();
    session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => files.set(scriptId, url));
    session.post('Debugger.enable');
    Object.defineProperty(globalThis, key, { value: asked, configurable: true });
    const expression = "globalThis[Symbol.for('nozomi.openapi.asked')]";
    for (const [index, one] of asked.entries()) {
      const location = locate(session, `${expression}[${index}]`, files);
      if (location) found.set(one, location);
    }
  } catch {
    // Another implementation of the inspector.
  } finally {
    Reflect.deleteProperty(globalThis, key);
    session?.disconnect();
  }
  return found;
}

function locate(
  session: Session,
  expression: string,
  files: ReadonlyMap<string, string>,
): Location | undefined {
  let location: Location | undefined;
  session.post('Runtime.evaluate', { expression }, (_err, evaluated) => {
    const { objectId } = evaluated?.result ?? {};
    if (!objectId) return;
    session.post('Runtime.getProperties', { objectId, ownProperties: true }, (_failed, properties) => {
      const all = properties?.internalProperties ?? [];
      const { value } = all.find(({ name }) => name === '[[FunctionLocation]]')?.value ?? {};
      const url = files.get(value?.scriptId);
      if (url) location = original(url, value.lineNumber, value.columnNumber);
    });
    session.post('Runtime.releaseObject', { objectId });
  });
  return location;
}

/** Follows a source map, if Node.js has loaded one. */
function original(url: string, line: number, column: number): Location | undefined {
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  const entry = (findSourceMap(file) ?? findSourceMap(url))?.findEntry(line, column);
  if (!entry || !('originalSource' in entry)) return { file, line, column };
  const { originalSource, originalLine, originalColumn } = entry;
  return {
    file: originalSource.startsWith('file:') ? fileURLToPath(originalSource) : originalSource,
    line: originalLine,
    column: originalColumn,
  };
}
