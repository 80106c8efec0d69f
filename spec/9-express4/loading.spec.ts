import { execFileSync } from 'node:child_process';
import { expect } from 'chai';

/** @returns The files in `dist` that a program loads. */
function filesLoadedBy(program: string): string[] {
  const print = `${program}; console.log(JSON.stringify(Object.keys(require.cache)))`;
  const output = execFileSync(process.execPath, ['-e', print], { cwd: __dirname, encoding: 'utf8' });
  const files: string[] = JSON.parse(output.trim().split('\n').at(-1) as string);
  return files.flatMap((file) => /[\\/]dist[\\/](.*)/.exec(file)?.[1]?.replaceAll('\\', '/') ?? []);
}

const USE = `
  const app = create();
  app.use(create.json());
  app.get('/:id', (req, res) => res.send(req.query));
  app.set('trust proxy', true);
`;

describe('require() of an entry point', () => {
  it('nozomi and nozomi/logger load no file of nozomi/3 or nozomi/4', () => {
    const files = filesLoadedBy(`const create = require('nozomi'); ${USE}`);

    expect(files).to.include('index.js');
    for (const all of [files, filesLoadedBy("require('nozomi/logger')")])
      expect(all.filter((file) => /legacy|express[34]/.test(file))).to.deep.equal([]);
  });

  it('nozomi/4 loads no file of nozomi/3, and nozomi/3 loads no file of nozomi/4', () => {
    const four = filesLoadedBy(`const create = require('nozomi/4'); ${USE}`);
    const three = filesLoadedBy(`const create = require('nozomi/3'); ${USE}`);

    expect(four).to.include('parts/express4.js');
    expect(four.filter((file) => file.includes('express3'))).to.deep.equal([]);
    expect(three).to.include('parts/express3.js');
    expect(three.filter((file) => file.includes('express4'))).to.deep.equal([]);
  });
});
