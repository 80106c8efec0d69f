import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import express3 from 'nozomi/3';
import request from 'supertest';
import { muteDeprecations } from '../../support/both';
import { chain } from '../../support/chain';
import { filesOf } from '../../support/files';
import { heardDuring } from '../../support/heard';

const files = () => filesOf({ 'a.txt': 'hello', 'b.js': '', '.hidden': 'h', 'folder/c.txt': 'c' });

describe('nozomi/3, express.directory() (§9.3)', () => {
  muteDeprecations();

  it('lists a directory as JSON, and as text [F-9.3-118]', async () => {
    const app = chain(express3.directory(files()));

    await request(app).get('/').set('Accept', 'application/json').expect(['folder', 'a.txt', 'b.js']);
    await request(app).get('/folder').set('Accept', 'text/plain').expect('c.txt\n');
    await request(app).get('/none').expect(404);
  });

  it('lists a directory as an HTML page [F-9.3-119]', async () => {
    const res = await request(chain(express3.directory(files())))
      .get('/')
      .set('Accept', 'text/html');

    expect(res.type).to.equal('text/html');
    expect(res.text).to.include('<a href="/a.txt"').and.include('<a href="/folder"');
  });

  it('omits dotfiles unless hidden is true [F-9.3-120]', async () => {
    const list = async (options: object): Promise<string[]> =>
      (
        await request(chain(express3.directory(files(), options)))
          .get('/')
          .set('Accept', 'application/json')
      ).body;

    expect(await list({})).not.to.include('.hidden');
    expect(await list({ hidden: true })).to.include('.hidden');
  });

  it('shows icons if the option icons is true [F-9.3-121]', async () => {
    const page = async (options: object): Promise<string> =>
      (
        await request(chain(express3.directory(files(), options)))
          .get('/')
          .set('Accept', 'text/html')
      ).text;

    expect(await page({})).not.to.include('icon-directory');
    expect(await page({ icons: true })).to.include('icon-directory');
  });

  it('lists only names that the option filter accepts [F-9.3-122]', async () => {
    const app = chain(express3.directory(files(), { filter: (name) => name.endsWith('.txt') }));

    await request(app).get('/').set('Accept', 'application/json').expect(['a.txt']);
    await request(chain(express3.directory(files(), { filter: false })))
      .get('/')
      .set('Accept', 'text/plain')
      .expect(200);
  });

  it('throws without a root [F-9.3-118]', () => {
    expect(() => express3.directory('')).to.throw(TypeError);
  });
});

describe('nozomi/3, express.static() (§9.3)', () => {
  muteDeprecations();

  it('serves the files of a directory with maxAge [F-9.3-125]', async () => {
    const app = chain(express3.static(files(), { maxAge: 60_000 }));
    const res = await request(app).get('/a.txt');

    expect([res.status, res.text, res.get('Cache-Control')]).to.deep.equal([
      200,
      'hello',
      'public, max-age=60',
    ]);
    await request(app).get('/none').expect(404);
  });

  it('serves dotfiles if the deprecated option hidden is true [F-9.3-125]', async () => {
    const apps: RequestListener[] = [];
    const warnings = await heardDuring('deprecation', () => {
      apps.push(chain(express3.static(files(), { hidden: true })));
      apps.push(chain(express3.static(files(), { hidden: false })));
    });
    const [shown, kept] = apps as [RequestListener, RequestListener];

    await request(chain(express3.static(files())))
      .get('/.hidden')
      .expect(404);
    await request(shown).get('/.hidden').expect(200);
    await request(kept).get('/.hidden').expect(404);
    expect(warnings.map(({ message }) => message)).to.deep.equal([
      "hidden: use dotfiles: 'allow' instead",
      "hidden: use dotfiles: 'ignore' instead",
    ]);
  });

  it('throws without a root [F-9.3-125]', () => {
    expect(() => express3.static('')).to.throw(TypeError, 'root path required');
  });
});
