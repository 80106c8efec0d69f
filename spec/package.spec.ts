import { createRequire } from 'node:module';
import { expect } from 'chai';
import framework from 'nozomi';
import logger from 'nozomi/logger';

describe('the package nozomi', () => {
  proves('F-0-02 F-0-03 F-0-04 F-0-05 F-0-06 F-0-07 F-0-08');
  it('exports the framework function with exactly the documented properties', () => {
    expect(framework).to.be.a('function');
    expect(Object.keys(framework).sort()).to.deep.equal([
      'Route',
      'Router',
      'application',
      'json',
      'logger',
      'raw',
      'request',
      'response',
      'static',
      'text',
      'urlencoded',
    ]);
    expect(framework.default).to.equal(framework);
    expect(framework.framework).to.equal(framework);
  });

  it('exports one logger as framework.logger and as nozomi/logger', () => {
    expect(framework.logger).to.equal(logger);
  });

  it('exports the same function to import and require', async () => {
    const required = createRequire(__filename)('nozomi');
    const imported = await import('nozomi');
    expect(required).to.equal(framework);
    expect(imported.default).to.equal(framework);
  });
});
