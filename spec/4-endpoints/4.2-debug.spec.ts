/** Compares the debug output and deprecation warnings of applications and routers with Express. */
import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { filesOf } from '../support/files';

/** @returns The lines that a program writes to standard error with the environment variable DEBUG. */
function traceOf(implementation: string, DEBUG: string, program: string, root = ''): string[] {
  const text = `const framework = require(process.argv[1]);\n${program}`;
  const env = { ...process.env, DEBUG, DEBUG_HIDE_DATE: '1', DEBUG_COLORS: '0' };
  const { stderr } = spawnSync(process.execPath, ['-e', text, implementation, root], {
    env,
    encoding: 'utf8',
  });
  return stderr.split('\n').filter(Boolean);
}

describe('an application with the environment variable DEBUG', () => {
  const program = `
    const [app, sub] = [framework(), framework()];
    app.set('title', { a: 1 }).set('views', process.argv[2]).use('/sub', sub);
    app.engine('txt', (path, options, done) => done(null, 'ok'));
    app.render('a.txt', () => undefined);
    app.render('b.txt', () => undefined);`;

  proves('F-4.2-70 F-4.2-61');
  it('prints the lines of Express about settings, mounting and views', () => {
    const root = filesOf({ 'a.txt': '' });
    const [ours, theirs] = ['nozomi', 'express'].map((name) => {
      // Express sets its defaults in another order, so the lines are sorted.
      return traceOf(name, 'express:*', program, root).sort();
    });

    expect(ours).to.include('express:application set "title" to { a: 1 }');
    expect(ours).to.include('express:application .use app under /sub');
    expect(ours).to.include('express:view lookup "a.txt"');
    expect(ours).to.deep.equal(theirs);
  });

  proves('F-2.2-09');
  it('prints nothing without DEBUG', () => {
    expect(traceOf('nozomi', '', program, filesOf({ 'a.txt': '' }))).to.deep.equal([]);
  });
});

describe('a router with the environment variable DEBUG', () => {
  const program = `
    const router = framework.Router();
    router.use('/m', function mounted(req, res, next) { next(); });
    router.use(framework.Router(), (req, res, next) => next());
    router.param('id', (req, res, next) => ({ then: (resolve) => { next(); resolve(); } }));
    router.route('/r/:id').all(() => {}).get(function handler(req, res, next) { next(); });
    router.get('/x/:id', (req, res, next) => ({ then: (resolve) => { next(); resolve(); } }));
    process.on('deprecation', ({ message }) => console.error('deprecated', message));
    for (const url of ['/m/x', '/x/7']) router({ method: 'GET', url }, {}, () => {});`;

  it('prints the debug output and deprecation warnings of Express', () => {
    const expected = traceOf('express', 'router*', program);

    expect(expected.join()).to.match(/router:layer new.*router:route get.*trim prefix.*deprecated/);
    expect(traceOf('nozomi', 'router*', program)).to.deep.equal(expected);
  });
});
