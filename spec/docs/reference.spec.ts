/**
 * Runs the examples of docs/api and of the guide that say what they do, and checks that each member has a section.
 *
 * `// GET /path | Name: value | body → 200 | Name: value | body` is a request and its response; headers and bodies may be
 * missing. `expression; // → value` is a value.
 */
import { readFileSync } from 'node:fs';
import { createServer, METHODS } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import express from 'nozomi';
import logger from 'nozomi/logger';
import { temporaryFolder } from '../../parity/temporary-folder';
import { type CodeBlock, codeBlocks, guidePages, hasExpectations, ROOT } from '../support/code-blocks';
import { playExchanges } from '../support/exchanges';

const OBJECTS = ['app', 'express', 'req', 'res', 'router'];
const pages = [...OBJECTS.map((name) => `docs/api/${name}.md`), ...guidePages()];
const examples = pages.flatMap(codeBlocks).filter(hasExpectations);

const AsyncFunction = (async () => {}).constructor as FunctionConstructor;

// Read before the examples, which add members.
const verbs = METHODS.map((method) => method.toLowerCase());
/** Internal methods, which Express has and does not document. */
const internal = ['init', 'defaultConfiguration', 'handle'];
const members = [
  ...Object.keys(express.application).map((name) => `app.${name}`),
  ...Object.keys(express.request).map((name) => `req.${name}`),
  ...Object.keys(express.response).map((name) => `res.${name}`),
  ...Object.getOwnPropertyNames(express.Router.prototype).map((name) => `router.${name}`),
  ...Object.keys(express).map((name) => `express.${name}`),
].filter((member) => !verbs.includes(member.split('.')[1] ?? '') || /\.(?:get|set)$/.test(member));

/** Members with an example that runs, a default or a table of options, and what they throw. */
const PARTS = [/^```/m, /^\*\*Default\*\*|^\| Option \| Default/m, /^\*\*Throws\*\*/m];

describe('docs, examples with responses, and the reference of the members', () => {
  const { TMPDIR } = process.env;
  /** What the examples extend, for all specs of this process. */
  const shared = [
    express,
    express.application,
    express.request,
    express.response,
    express.Router.prototype,
    logger,
  ];
  const names = shared.map((object) => new Set(Reflect.ownKeys(object)));

  // An example writes a template to the folder for temporary files.
  before(() => {
    process.env.TMPDIR = temporaryFolder('examples');
  });
  after(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    for (const [index, object] of shared.entries())
      for (const name of Reflect.ownKeys(object))
        if (!names[index]?.has(name)) Reflect.deleteProperty(object, name);
  });

  for (const example of examples)
    it(`${example.file}:${example.line}: the example does what its comments say`, () => play(example));

  for (const name of OBJECTS)
    it(`docs/api/${name}.md has an example, a default and the errors of each member`, () => {
      const [, ...sections] = readFileSync(join(ROOT, 'docs', 'api', `${name}.md`), 'utf8').split(/^## /m);
      const lacking = sections.flatMap((section) =>
        PARTS.filter((part) => !part.test(section)).map(
          (part) => `${section.split('\n')[0]}: ${part.source}`,
        ),
      );

      expect(sections.length).to.be.above(5);
      expect(lacking).to.deep.equal([]);
    });

  it('has a section for each member', () => {
    const others = ['router.length', 'router.name', 'router.toString', 'router.handle', 'router.get'];
    const covered = OBJECTS.map((name) => readFileSync(join(ROOT, 'docs', 'api', `${name}.md`), 'utf8')).join(
      '\n',
    );
    const missing = members.filter(
      (member) =>
        !others.includes(member) &&
        !internal.includes(member.split('.')[1] ?? '') &&
        !covered.includes(`\`${member}\``) &&
        !covered.includes(`# ${member}`),
    );

    expect(members).to.have.length.above(70);
    expect(missing).to.deep.equal([]);
  });
});

async function play({ code, file, line }: CodeBlock): Promise<void> {
  const app = express().set('env', 'test');
  const require = createRequire(__filename);
  const names = Object.keys(logger);
  const source = code.replace(/^(\s*)([^/\n].*); \/\/ → (.*)$/gm, '$1expect($2).to.deep.equal($3);');
  await new AsyncFunction('app', 'express', 'expect', 'require', '__dirname', source)(
    app,
    express,
    expect,
    require,
    ROOT,
  );
  const server = createServer(app).listen(0);
  try {
    await playExchanges(code, (server.address() as AddressInfo).port, `${file}:${line}`);
  } finally {
    server.close();
    server.closeAllConnections();
    // The tokens and formats that the example has defined, for all specs of this process.
    for (const name of Object.keys(logger)) if (!names.includes(name)) Reflect.deleteProperty(logger, name);
  }
}
