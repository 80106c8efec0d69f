import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { CORE, extentIn } from '../../scripts/build/pack';

const DIST = join(__dirname, '..', '..', 'dist');
const load = require(join(DIST, CORE)) as (name: string) => object;

const run = (...args: string[]): string => execFileSync(process.execPath, args, { encoding: 'utf8' }).trim();

describe('the build', () => {
  it('holds in one file what the door loads, but for the files that instrumentations look for', () => {
    const program = `require('nozomi'); JSON.stringify(Object.keys(require.cache))`;
    const loaded = (JSON.parse(run('-p', program)) as string[])
      .map((file) => relative(DIST, file).replaceAll('\\', '/'))
      .filter((file) => !file.startsWith('../'));

    const own = loaded.filter((file) => !/^node_modules\//.test(file));
    expect(own).to.deep.equal(['index.js', CORE, 'wire/lazy.js', 'routing/promise.js']);
  });

  it('hands out the same module by path', () => {
    for (const name of ['framework', 'routing/layer', 'application/settings', 'response/send'])
      expect(require(join(DIST, `${name}.js`))).to.equal(load(name));
  });

  it('names lines of the source in stack traces', () => {
    const program = `try { require('nozomi').Router().use('/path') } catch (err) { console.log(err.stack) }`;
    const [, file, line] =
      /at flattenHandlers \((.*?):(\d+):/.exec(run('--enable-source-maps', '-e', program)) ?? [];

    expect(file).to.match(/src[\\/]routing[\\/]route\.ts$/);
    const source = readFileSync(join(DIST, '..', 'src', 'routing', 'route.ts'), 'utf8');
    expect(source.split('\n')[Number(line) - 1]).to.contain('argument handler is required');
  });

  it('tells the text of each module from the others', () => {
    const core = readFileSync(join(DIST, CORE), 'utf8');
    const { start, end } = extentIn(core, 'routing/layer') ?? { start: 0, end: 0 };

    const text = core.slice(start, end);
    expect(text)
      .to.match(/^"use strict";/)
      .and.to.contain('class Layer {');
    expect(text).not.to.contain('class Walk {');
    expect(extentIn(core, 'routing/none')).to.equal(undefined);
  });
});
