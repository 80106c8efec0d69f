/** Compares the debug output and deprecation warnings of routers with Express. */
import { spawnSync } from 'node:child_process';
import { expect } from 'chai';

const PROGRAM = `
const framework = require(process.argv[1]);
const router = framework.Router();
router.use('/m', function mounted(req, res, next) { next(); });
router.use(framework.Router(), (req, res, next) => next());
router.param('id', (req, res, next) => ({ then: (resolve) => { next(); resolve(); } }));
router.route('/r/:id').all(() => {}).get(function handler(req, res, next) { next(); });
router.get('/x/:id', (req, res, next) => ({ then: (resolve) => { next(); resolve(); } }));
process.on('deprecation', ({ message }) => console.error('deprecated', message));
for (const url of ['/m/x', '/x/7']) router({ method: 'GET', url }, {}, () => {});
`;

/** @returns The lines that the program writes to standard error. */
function tell(make: string): string[] {
  const env = { ...process.env, DEBUG: 'router*', DEBUG_HIDE_DATE: '1', DEBUG_COLORS: '0' };
  const { stderr } = spawnSync(process.execPath, ['-e', PROGRAM, require.resolve(make)], {
    env,
    encoding: 'utf8',
  });
  return stderr.split('\n');
}

describe('a router with the environment variable DEBUG (§4.3)', () => {
  it('prints the debug output and deprecation warnings of Express', () => {
    const expected = tell('express');

    expect(expected.join()).to.match(/router:layer new.*router:route get.*trim prefix.*deprecated/);
    expect(tell('nozomi')).to.deep.equal(expected);
  });
});
