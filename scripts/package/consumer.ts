/** Reads consumer.yaml: the source code of applications that use the installed package. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Series } from './tarball';

export type ModuleKind = 'commonjs' | 'module';
type Sources = Readonly<Record<string, string>>;

const {
  entries,
  agents,
  typed,
  load,
  application: body,
} = parse(readFileSync(join(__dirname, 'consumer.yaml'), 'utf8')) as {
  readonly entries: Readonly<Record<Series, Sources>>;
  readonly agents: Readonly<Record<'4' | '3', readonly string[]>>;
  readonly typed: Readonly<Record<Series, string>>;
  readonly load: Readonly<Record<ModuleKind, string>>;
  readonly application: string;
};

/** Applications by version of Express and by name of the file. Each prints `ok`. */
export const ENTRY_POINTS: Readonly<Record<Series, Sources>> = {
  5: entries[5],
  4: { ...entries[4], 'agents.cjs': instrumented('4') },
  3: { ...entries[3], 'agents.cjs': instrumented('3') },
};

/** By version of Express: an application to compile in strict mode. */
export const TYPED: Readonly<Record<Series, string>> = typed;

/** An application that prints responses and log lines as JSON, which must equal `ANSWERS`. */
export function application(kind: ModuleKind): string {
  return load[kind] + body;
}

export const ANSWERS: string = JSON.stringify({
  responses: ['200 Hello Ada', '200 Hello NAME', '200 {"a":1}', '404'],
  lines: ['GET /hello/Ada 200', 'GET /files/hello.txt 200', 'POST /echo 200', 'GET /none 404'],
});

/** An application that checks whether `require('express')` loads the files that APM agents instrument. */
function instrumented(series: '4' | '3'): string {
  return `
    const express = require('express');
    const missing = new Set(${JSON.stringify(agents[series])});
    for (const file of Object.keys(require.cache)) {
      const [, folder, name] = /^(.*[\\\\/]node_modules[\\\\/]express)[\\\\/]lib[\\\\/](.*)\\.js$/.exec(file) || [];
      if (!folder) continue;
      if (require(folder + '/package.json').version.split('.')[0] !== '${series}') throw new Error('another version: ' + file);
      missing.delete(name.replaceAll('\\\\', '/'));
    }
    if (missing.size > 0) throw new Error('not loaded: ' + [...missing]);
    if (require('express/5') === express) throw new Error('wrong series');
    console.log('ok');`;
}
