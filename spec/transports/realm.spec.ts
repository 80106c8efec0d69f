/** The framework in a vm context, where test runners such as Jest load it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';

const PROGRAM = join(__dirname, '..', 'support', 'in-realm.ts');

function responsesOf(framework: string, ...options: string[]): Record<string, string> {
  const args = ['--no-deprecation', '--require', 'tsx/cjs', PROGRAM, require.resolve(framework), ...options];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

describe('a framework in a vm context, as in Jest', () => {
  for (const [build, reference] of [
    ['nozomi', 'express'],
    ['nozomi/4', 'express4'],
    ['nozomi/3', 'express3'],
  ] as const) {
    it(`${build}: app.listen(), http.createServer(app) and supertest(app) respond as with Express`, () => {
      const responses = responsesOf(build);

      expect(responses).to.deep.equal(responsesOf(reference));
      expect(responses.listen).to.match(/^200 W\/".*" \/\?a=1$/);
    });
  }

  for (const build of ['nozomi', 'nozomi/3']) {
    it(`${build}: passes the rejection of a promise of Node.js to the error handler`, () => {
      expect(responsesOf(build, 'rejects').rejects).to.equal('ENOENT');
    });
  }
});
