/**
 * The files at paths of Express that only export something of `src`: for applications that require them by path, and
 * for APM agents, which find the files that they wrap by package, version and path.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** What a file exports: a module and the name of its export, or the whole module if there is no name. */
type Exported = readonly [module: string, name?: string];

const ADAPTER = 'node_modules/express/lib';

/** The files by their path below `build`. */
const EXPORTS: Readonly<Record<string, Exported>> = {
  'lib/application': ['framework', 'application'],
  'lib/express': ['index'],
  'lib/request': ['request/request', 'request'],
  'lib/response': ['response/response', 'response'],
  'lib/view': ['application/view', 'View'],
  [`${ADAPTER}/express`]: ['framework', 'framework'],
  [`${ADAPTER}/request`]: ['request/request', 'request'],
  [`express4/${ADAPTER}/application`]: ['express4/application', 'application'],
  [`express4/${ADAPTER}/express`]: ['express4/express4', 'express4'],
  [`express4/${ADAPTER}/middleware/init`]: ['express4/init'],
  [`express4/${ADAPTER}/middleware/query`]: ['express4/query', 'query'],
  [`express4/${ADAPTER}/request`]: ['express4/request', 'request'],
  [`express4/${ADAPTER}/router/route`]: ['express4/route', 'PublicRoute'],
  [`express4/${ADAPTER}/view`]: ['express4/view', 'View'],
  [`express3/${ADAPTER}/application`]: ['express3/application', 'application'],
  [`express3/${ADAPTER}/express`]: ['express3/express3', 'express3'],
  [`express3/${ADAPTER}/request`]: ['express3/request', 'request'],
  [`express3/${ADAPTER}/response`]: ['express3/response', 'response'],
  [`express3/${ADAPTER}/router/index`]: ['express3/router', 'PublicRouter'],
  [`express3/${ADAPTER}/router/route`]: ['express3/route', 'PublicRoute'],
  [`express3/${ADAPTER}/view`]: ['application/view', 'View'],
};

/** The files that `express/lib/express` also loads, as in Express, so that APM agents wrap what they export. */
const LOADED: Readonly<Record<string, readonly string[]>> = {
  [`${ADAPTER}/express`]: ['request', 'response'],
  [`express4/${ADAPTER}/express`]: [
    '../../path-to-regexp/index',
    'application',
    'middleware/init',
    'middleware/query',
    'request',
    'response',
    'router/index',
    'router/layer',
    'router/route',
  ],
  [`express3/${ADAPTER}/express`]: ['application', 'request', 'response', 'router/index', 'router/route'],
};

interface Taken {
  /** The path of the file below `express/lib`. */
  readonly path: string;
  readonly own: readonly [module: string, name: string];
  /** The name in `used`, an export of the same module. */
  readonly used: string;
  /** The member of `express` that is the constructor. */
  readonly member?: string;
}

/** The constructors that `express/lib/express` takes from the files at their paths: an APM agent may replace them. */
const TAKEN: Readonly<Record<string, readonly Taken[]>> = {
  [`express4/${ADAPTER}/express`]: [
    { path: 'router/layer', own: ['express4/layer', 'PublicLayer'], used: 'Layer' },
    { path: 'router/route', own: ['express4/route', 'PublicRoute'], used: 'Route', member: 'Route' },
    { path: 'router/index', own: ['express4/router', 'Router'], used: 'Router', member: 'Router' },
  ],
};

/**
 * Variables that Express has in its files, by the file of `dist`: in-process firewalls append statements that read them.
 * An empty name stands for what the file exports.
 */
const LOCAL_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [`${ADAPTER}/express`]: { Router: 'Router', proto: 'application', req: 'request', res: 'response' },
  [`${ADAPTER}/request`]: { req: '' },
  [`${ADAPTER}/response`]: { res: '' },
  'node_modules/router/index': { Router: '' },
  'node_modules/router/lib/layer': { Layer: '' },
  ...namesOfEarlier('express4'),
  [`express4/${ADAPTER}/router/index`]: { proto: '' },
  [`express4/${ADAPTER}/router/layer`]: { Layer: '' },
  ...namesOfEarlier('express3'),
  [`express3/${ADAPTER}/router/index`]: { Router: '' },
};

/** The variables in the files that Express 3 and 4 both have. */
function namesOfEarlier(series: 'express3' | 'express4'): Record<string, Readonly<Record<string, string>>> {
  return {
    [`${series}/${ADAPTER}/express`]: {
      Route: 'Route',
      Router: 'Router',
      proto: 'application',
      req: 'request',
      res: 'response',
    },
    [`${series}/${ADAPTER}/application`]: { app: '' },
    [`${series}/${ADAPTER}/request`]: { req: '' },
    [`${series}/${ADAPTER}/response`]: { res: '' },
    [`${series}/${ADAPTER}/router/route`]: { Route: '' },
    [`${series}/${ADAPTER}/view`]: { View: '' },
  };
}

/** Declares the variables at the end of the files of `dist`: esbuild puts the code of a file into a function. */
export function declareLocalNames(dist: string): void {
  for (const [file, names] of Object.entries(LOCAL_NAMES)) {
    const target = join(dist, `${file}.js`);
    const values = Object.entries(names).map(
      ([name, member]) => `var ${name} = module.exports${member && `.${member}`};\n`,
    );
    writeFileSync(
      target,
      readFileSync(target, 'utf8').replace(/(?=^\/\/# sourceMappingURL)/m, () => values.join('')),
    );
  }
}

/** Writes the files to the output of tsc. */
export function writePaths(compiled: string): void {
  for (const [file, exported] of Object.entries(EXPORTS)) {
    const load = ([module, name]: Exported): string =>
      `require('./${posix.relative(posix.dirname(file), module)}')${name ? `.${name}` : ''}`;
    const lines = [
      `const exported = ${load(exported)};`,
      ...(LOADED[file] ?? []).map((each) => `require('./${each}');`),
      ...(TAKEN[file] ?? []).flatMap(({ path, own: [module, name], used, member }) => [
        `if (require('./${path}') !== ${load([module, name])}) ${load([module])}.used.${used} = require('./${path}');`,
        ...(member ? [`exported.${member} = require('./${path}');`] : []),
      ]),
      'module.exports = exported;\n',
    ];
    const target = join(compiled, file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(`${target}.js`, lines.join('\n'));
  }
}
