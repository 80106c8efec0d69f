import { expect } from 'chai';
import { traceApplication } from '../support/traced';

/**
 * What APM agents search for in the source of a file: assignments of a function to a property with this name, and how
 * the function ends. `Callback`: its last argument is called. `Sync`: it returns.
 */
interface Search {
  readonly file: string;
  readonly assigned: string;
  readonly kind: 'Callback' | 'Sync';
}

/** What the latest Sentry and New Relic search for in the package `router` and in Express 4. */
const OF_ROUTER: readonly Search[] = [
  { file: 'lib/layer.js', assigned: 'handleRequest', kind: 'Callback' },
  ...['use', 'route', 'param'].map((assigned): Search => ({ file: 'index.js', assigned, kind: 'Sync' })),
];
const OF_EXPRESS4: readonly Search[] = [
  { file: 'lib/router/layer.js', assigned: 'handle_request', kind: 'Callback' },
  { file: 'lib/response.js', assigned: 'render', kind: 'Sync' },
  ...['use', 'route', 'param'].map(
    (assigned): Search => ({ file: 'lib/router/index.js', assigned, kind: 'Sync' }),
  ),
];

/**
 * Source that rewrites files with the library that Sentry and New Relic use, and records the calls of the functions
 * that it found.
 *
 * @param packages The names of the package in node_modules.
 */
function rewriting(packages: readonly string[], searches: readonly Search[]): string {
  const instrumentations = packages.flatMap((name) =>
    searches.map(({ file, assigned, kind }) => ({
      channelName: assigned,
      module: { name, versionRange: '>=2', filePath: file },
      functionQuery: { expressionName: assigned, kind },
    })),
  );
  return `(() => {
    const { tracingChannel } = require('node:diagnostics_channel');
    const ModulePatch = require('@apm-js-collab/tracing-hooks');
    const instrumentations = ${JSON.stringify(instrumentations)};
    new ModulePatch({ instrumentations }).patch();
    const brief = (value) => (typeof value === 'function' ? 'function ' + value.name : String(value?.url ?? value));
    for (const { channelName, module: { name } } of instrumentations) {
      const see = (event) => ({ self, arguments: [first], error }) => {
        const { name: layer = '', path } = Object(self);
        seen.push([channelName, event, layer, path, brief(first), error?.message].join(' '));
      };
      const [start, end, asyncStart, error] = ['start', 'end', 'next', 'error'].map(see);
      tracingChannel('orchestrion:' + name + ':' + channelName).subscribe({ start, end, asyncStart, error });
    }
    return {};
  })()`;
}

describe('APM agents that rewrite sources', () => {
  proves('F-4.1-01 F-4.3-01');
  it('find the functions of router 2 in nozomi, and see the same calls', () => {
    const hooks = rewriting(['router'], OF_ROUTER);
    const [ours, theirs] = [traceApplication('nozomi', hooks), traceApplication('express', hooks)];

    expect(ours).to.deep.equal(theirs);
    expectCallsOf(OF_ROUTER, theirs);
  });

  proves('E4-C7');
  it('find the functions of Express 4 in nozomi/4, and see the same calls', () => {
    const hooks = rewriting(['express', 'express4'], OF_EXPRESS4);
    const [ours, theirs] = [traceApplication('nozomi/4', hooks), traceApplication('express4', hooks)];

    expect(ours).to.deep.equal(theirs);
    expectCallsOf(OF_EXPRESS4, theirs);
  });
});

function expectCallsOf(searches: readonly Search[], seen: readonly string[]): void {
  for (const { assigned } of searches)
    expect(seen.join('\n')).to.match(new RegExp(`^${assigned} start `, 'm'));
}
