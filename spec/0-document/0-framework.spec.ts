import { createRequire } from 'node:module';
import { expect } from 'chai';
import express from 'express';
import fc from 'fast-check';
import framework from 'nozomi';
import { braces, filesOf } from '../support/files';

const require = createRequire(__filename);
// The package in an application that installed it under the name `express`.
const inside = (path: string) => require(`nozomi/${path}`);
const reference = (path: string) => require(`express/${path}`);

describe('§0 the framework function', () => {
  it('is callable as required, and returns an application [F-0-02]', () => {
    const app = require('nozomi')();

    expect(app).to.be.a('function').with.property('handle');
  });

  it('has the properties of Express, in the same order [F-0-03 F-0-04 F-0-05 F-0-06 F-0-07 F-0-08]', () => {
    const own = Object.keys(framework).filter((name) => name in express);

    expect(own).to.deep.equal(Object.keys(express));
    expect(Object.keys(framework).filter((name) => !(name in express))).to.deep.equal(['logger']);
  });

  it('has a version in package.json [F-0-01]', () => {
    expect(inside('package.json').version).to.equal(reference('package.json').version);
  });
});

describe('§0 internal modules that applications load', () => {
  it('exports the same objects by path as by name, with and without the extension [F-0-02]', () => {
    for (const extension of ['', '.js']) {
      expect(inside(`lib/express${extension}`)).to.equal(framework);
      expect(inside(`lib/application${extension}`)).to.equal(framework.application);
      expect(inside(`lib/request${extension}`)).to.equal(framework.request);
      expect(inside(`lib/response${extension}`)).to.equal(framework.response);
      expect(inside(`lib/view${extension}`)).to.equal(framework().get('view'));
    }
    expect(inside('index.js')).to.equal(framework);
  });

  it('has no file lib/router, as in Express [F-0-02]', () => {
    expect(() => reference('lib/router')).to.throw('Cannot find module');
    expect(() => inside('lib/router')).to.throw('Cannot find module');
  });

  it('exports the members of lib/utils [F-2.2-01]', () => {
    const [ours, theirs] = [inside('lib/utils'), reference('lib/utils')];

    expect(Object.keys(ours)).to.deep.equal(Object.keys(theirs));
    expect(ours.methods).to.deep.equal(theirs.methods);
    expect(ours.etag('héllo')).to.equal(theirs.etag('héllo'));
    expect(ours.wetag('68e96c6c6f', 'hex')).to.equal(theirs.wetag('68e96c6c6f', 'hex'));
    expect(ours.compileETag('strong')).to.equal(ours.etag);
    expect(ours.compileQueryParser('extended')('a[b]=1')).to.deep.equal({ a: { b: '1' } });
    expect(ours.compileTrust('loopback')('127.0.0.9', 0)).to.equal(true);
    expect(ours.normalizeTypes(['html', 'text/*;q=.2', 'zz'])).to.deep.equal(
      theirs.normalizeTypes(['html', 'text/*;q=.2', 'zz']),
    );
    for (const [type, charset] of [
      ['text/html', 'utf-8'],
      ['', 'utf-8'],
      ['text/html; charset=x', ''],
    ]) {
      expect(ours.setCharset(type, charset)).to.equal(theirs.setCharset(type, charset));
    }
  });

  it('parses the parameters of any media type as Express does [F-0-02]', () => {
    const piece = fc.constantFrom('a', 'q', '=', ';', ' ', '0.5', 'text', '/', 'x', '.', '*', '__proto__');
    const type = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
    const [ours, theirs] = [inside('lib/utils'), reference('lib/utils')];

    fc.assert(
      fc.property(type, (text) => {
        expect(ours.normalizeType(text)).to.deep.equal(theirs.normalizeType(text));
      }),
      { numRuns: 5000 },
    );
  });

  it('lets a view class of the application call View as a constructor function [F-4.2-68 F-2.2-53]', () => {
    const View = inside('lib/view');
    function Upper(this: { name: string }, name: string, options: unknown) {
      View.call(this, name, options);
      this.name = this.name.toUpperCase();
    }
    Object.setPrototypeOf(Upper.prototype, View.prototype);
    const app = framework()
      .set('view', Upper)
      .set('views', filesOf({ 'a.txt': 'hello' }));
    app.engine('txt', braces);

    app.render('a.txt', { cache: true }, () => undefined);

    expect((app as unknown as { cache: object }).cache)
      .to.have.property('a.txt')
      .that.is.an.instanceOf(View)
      .with.property('name', 'A.TXT');
  });

  it('throws for a view without options, as in Express [F-4.2-62 F-4.2-68]', () => {
    for (const View of [inside('lib/view'), reference('lib/view')]) {
      expect(() => new View('a')).to.throw('No default engine was specified and no extension was provided.');
      expect(() => new View('a.txt')).to.throw(
        TypeError,
        "Cannot read properties of undefined (reading '.txt')",
      );
    }
  });
});
