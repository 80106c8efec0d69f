import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { migrate } from '../../parity/migrate/migrate';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { ROOT, runParity } from '../support/command';

const PAGE = readFileSync(join(ROOT, 'docs', 'migrate.md'), 'utf8');

/** The commands of docs/migrate.md, in order. The last one writes files. */
const COMMANDS = [...PAGE.matchAll(/^npx nozomi-parity (.*)$/gm)].map(([, command]) => command ?? '');

describe('docs/migrate.md', () => {
  let folder: string;

  before(() => {
    folder = temporaryFolder('notes4');
    cpSync(join(ROOT, 'examples', 'notes4'), folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{}');
    mkdirSync(join(folder, 'node_modules'));
    const express = dirname(require.resolve('express4/package.json'));
    symlinkSync(express, join(folder, 'node_modules', 'express'), 'junction');
  });

  after(() => removeFolder(folder));

  it('has three nozomi-parity commands', () => {
    expect(COMMANDS).to.have.length(3);
  });

  for (const command of COMMANDS)
    it(`has a command that succeeds: nozomi-parity ${command}`, async () => {
      // The page names these options for applications with expected differences, and the example has one.
      const expected = command.includes('--check') ? ' --divergences expected.json --allow-accepted' : '';
      const { code, output } = await run(`${command}${expected}`);

      expect(output).to.match(/-app\.get\('\/files\/\*'| 0 failed|2 files: 20 changes, 0 places to decide/);
      expect(code).to.equal(0);
    });

  it('leaves nothing to migrate after its commands', async () => {
    const { output } = await run(COMMANDS[0] ?? '');

    expect(output).to.include('0 changes, 0 places to decide');
  });

  it('shows the converted paths in its table', async () => {
    const rows = [...PAGE.matchAll(/^\| `(\S+)` \| `(\S+)` \|/gm)].filter(([, before]) =>
      before?.startsWith('/'),
    );
    expect(rows).to.have.length(5);
    for (const [, before = '', after = ''] of rows) {
      const handler = after.startsWith('/^\\/files') ? '(req) => req.params[0]' : 'fn';
      const text = `const app = require('express')();\napp.get('${before}', ${handler});\n`;
      const [migrated] = await migrate([{ name: 'app.js', text }]);

      expect(migrated?.after).to.include(after.startsWith('/^') ? `(${after}, ` : `('${after}', `);
    }
  });

  async function run(command: string): Promise<{ code: number; output: string }> {
    const { code, output, errors } = await runParity(command.split(' '), { cwd: folder });
    return { code, output: output + errors };
  }
});
