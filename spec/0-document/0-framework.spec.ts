import { createRequire } from 'node:module';
import { expect } from 'chai';
import fc from 'fast-check';
import framework from 'nozomi';
import { braces, filesOf } from '../support/files';

const require = createRequire(__filename);
// Loads a module of this package by its path, as an application loads `express/lib/…`.
const inside = (path: string) => require(`nozomi/${path}`);
const reference = (path: string) => require(`express/${path}`);

describe('framework()', () => {
  proves('F-0-02');
  it('is the value that require("nozomi") returns, and returns an application', () => {
    const app = require('nozomi')();

    expect(app).to.be.a('function').with.property('handle');
  });

  proves('F-0-01');
  it('has the same version in package.json as Express', () => {
    expect(inside('package.json').version).to.equal(reference('package.json').version);
  });
});

describe('require("nozomi/lib/…")', () => {
  proves('F-0-02');
  it('returns the objects that the main entry point exports, with the extension .js or without', () => {
    for (const extension of ['', '.js']) {
      expect(inside(`lib/express${extension}`)).to.equal(framework);
      expect(inside(`lib/application${extension}`)).to.equal(framework.application);
      expect(inside(`lib/request${extension}`)).to.equal(framework.request);
      expect(inside(`lib/response${extension}`)).to.equal(framework.response);
      expect(inside(`lib/view${extension}`)).to.equal(framework().get('view'));
    }
    expect(inside('index.js')).to.equal(framework);
  });

  proves('F-0-02');
  it('throws for lib/router, which Express 5 does not have either', () => {
    expect(() => reference('lib/router')).to.throw('Cannot find module');
    expect(() => inside('lib/router')).to.throw('Cannot find module');
  });

  proves('F-2.2-01');
  it('lib/utils: exports the functions of Express, with the same results', () => {
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

  proves('F-0-02');
  it('lib/utils: normalizeType parses any media type as Express does', () => {
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

  proves('F-4.2-68 F-2.2-53');
  it('lib/view: a view class of the application can call View as a constructor function', () => {
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

  proves('F-4.2-62 F-4.2-68');
  it('lib/view: View throws the errors of Express if it gets no options', () => {
    for (const View of [inside('lib/view'), reference('lib/view')]) {
      expect(() => new View('a')).to.throw('No default engine was specified and no extension was provided.');
      expect(() => new View('a.txt')).to.throw(
        TypeError,
        "Cannot read properties of undefined (reading '.txt')",
      );
    }
  });
});
