import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { source as axe } from 'axe-core';
import { expect } from 'chai';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { REFERENCE } from '../../parity/implementations/implementations';
import type { Report } from '../../parity/judge/report';
import { runParity } from '../../parity/parity';
import { toHtml } from '../../parity/report/html/html';
import { temporaryFolder } from '../../parity/temporary-folder';
import { programOf } from '../support/programs';
import { ENTRIES, FAULTY } from './faulty/implementations';
import { EQUAL } from './faulty/scenarios';

const LOST = 'faulty: a field is lost';
const BYTE = 'faulty: one byte of the body differs';
const TWICE = 'faulty: a field is sent twice';
const CHART = '<svg viewBox="0 0 9 9" role="img"><title>A chart</title><rect width="9" height="9"/></svg>';
const DESK = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 800 }, hasTouch: true };

describe('parity: the page in a browser', () => {
  const folder = temporaryFolder('page');
  const address = pathToFileURL(join(folder, 'parity.html')).href;
  let browser: Browser;

  before(async () => {
    const entries = ENTRIES.filter(({ id }) => [LOST, BYTE, TWICE, `faulty: ${EQUAL[0]}`].includes(id));
    const scenarios = { [TWICE]: ['1.headers', '1.headers.etag'] };
    const divergences = [{ id: 'twice', clauses: [], differs: 'sent twice', why: 'to be seen', scenarios }];
    const report = await runParity({ implementations: [REFERENCE, FAULTY], entries, divergences });
    writeFileSync(join(folder, 'parity.html'), toHtml(report, { charts: [CHART] }));
    writeFileSync(join(folder, 'long.html'), toHtml(repeated(report)));
    browser = await chromium.launch({ executablePath: programOf('chromium'), args: ['--no-sandbox'] });
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  async function open(options: BrowserContextOptions = DESK, hash = ''): Promise<Page> {
    const page = await browser.newPage({ reducedMotion: 'reduce', ...options });
    await page.goto(address + hash);
    return page;
  }

  it('loads no other file, and prints nothing on the console', async () => {
    const page = await browser.newPage();
    const heard: string[] = [];
    page.on('request', (request) => heard.push(request.url()));
    page.on('console', (message) => heard.push(message.text()));
    page.on('pageerror', (error) => heard.push(error.message));
    await page.goto(address);

    expect(heard).to.deep.equal([address]);
    await page.close();
  });

  it('filters by state, section and text, with counts', async () => {
    const page = await open();
    const output = page.locator('.filters output');
    expect(await output.textContent()).to.equal('4 of 4');

    await page.click('.states [data-state=different]');
    expect(await shown(page)).to.have.length(2);
    await page.fill('[name=text]', 'body differs');
    expect(await shown(page)).to.deep.equal(['one byte of the body differs']);
    await page.fill('[name=text]', 'nothing is so');
    expect(await output.textContent()).to.equal('0 of 4');
    await page.click('[data-reset]');
    expect(await output.textContent()).to.equal('4 of 4');
    await page.selectOption('[name=section]', 'faulty');
    expect(await shown(page)).to.have.length(4);
    await page.close();
  });

  for (const [where, position] of Object.entries({ top: 0, end: 100_000 })) {
    it(`shows the first result of a search below the filters when the user types at the ${where} of the page`, async () => {
      const page = await browser.newPage({ ...DESK, reducedMotion: 'reduce' });
      await page.goto(address.replace('parity.html', 'long.html'));
      await page.evaluate(`scrollTo(0, ${position})`);
      await page.fill('[name=text]', 'section-30');
      const [first, filters] = await Promise.all([
        page.locator('details[data-state]:visible').first().boundingBox(),
        page.locator('.filters').boundingBox(),
      ]);

      expect(first?.y)
        .to.be.least((filters?.y ?? 0) + (filters?.height ?? 0))
        .and.below(DESK.viewport.height / 2);
      await page.close();
    });
  }

  it('can be used with the keyboard', async () => {
    const page = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('field is');
    expect(await shown(page)).to.deep.equal(['a field is lost', 'a field is sent twice']);
    await page.keyboard.press('Escape');
    expect(await shown(page)).to.have.length(4);

    await page.locator('.filters select').focus();
    for (let turn = 0; turn < 3; turn++) await page.keyboard.press('Tab');
    await page.keyboard.press('n');
    const first = await focused(page);
    await page.keyboard.press('n');
    expect([first, await focused(page)]).to.deep.equal(['a field is lost', 'one byte of the body differs']);
    await page.keyboard.press('p');
    expect(await focused(page)).to.equal('a field is lost');
    await page.keyboard.press('Enter');
    expect(await page.locator('#faulty-a-field-is-lost').getAttribute('open')).to.equal(null);
    await page.close();
  });

  it('opens the scenario of a link for any filter', async () => {
    const page = await open(DESK, '#faulty-a-field-is-sent-twice');
    const target = page.locator('#faulty-a-field-is-sent-twice');
    expect(await target.getAttribute('open')).to.equal('');

    await page.fill('[name=text]', 'lost');
    expect(await target.isVisible()).to.equal(false);
    await page.click('#divergence-twice a');
    expect(await target.isVisible()).to.equal(true);
    await page.close();
  });

  it('marks the bytes that differ in two columns, or one below the other on a phone', async () => {
    const sides = async (page: Page): Promise<[number, number]> => {
      const boxes = ['.was', '.is'].map((side) =>
        page.locator(`#faulty-one-byte-of-the-body-differs tr:has(mark) ${side}`).last().boundingBox(),
      );
      const [was, is] = await Promise.all(boxes);
      return [(is?.x ?? 0) - (was?.x ?? 0), (is?.y ?? 0) - (was?.y ?? 0)];
    };
    const [desk, phone] = await Promise.all([open(DESK), open(PHONE)]);

    expect(await desk.locator('#faulty-one-byte-of-the-body-differs mark').allTextContents()).to.deep.equal([
      'hello',
      'hellO',
    ]);
    const [beside, same] = await sides(desk);
    expect([beside > 100, same]).to.deep.equal([true, 0]);
    const [straight, below] = await sides(phone);
    expect([straight, below > 10]).to.deep.equal([0, true]);
    await Promise.all([desk.close(), phone.close()]);
  });

  it('fits a phone: no element is wider than the screen, and the sections are folded', async () => {
    const page = await open(PHONE);

    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).to.equal(390);
    expect(await page.locator('.sections').getAttribute('open')).to.equal(null);
    await page.close();
  });

  it('shows the charts of a benchmark', async () => {
    const page = await open();

    expect(await page.locator('#performance svg title').textContent()).to.equal('A chart');
    await page.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [name, size] of Object.entries({ DESK, PHONE })) {
      it(`has no fault that axe finds: ${colorScheme}, ${name.toLowerCase()}`, async () => {
        const page = await open({ ...size, colorScheme });
        await page.evaluate(axe);
        const violations = (await page.evaluate(
          'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))',
        )) as string[];

        expect(violations).to.deep.equal([]);
        await page.close();
      });
    }
  }
});

/** @returns The names of the visible scenarios. */
function shown(page: Page): Promise<string[]> {
  return page.locator('main > section details:visible > summary .name').allTextContents();
}

/** @returns The name of the scenario whose heading has the focus. */
async function focused(page: Page): Promise<string | null> {
  return page.locator('summary:focus .name').textContent();
}

/** @returns The report with its scenarios in 60 sections, so that the page is longer than the window. */
function repeated(report: Report): Report {
  const verdicts = Array.from({ length: 60 }, (_none, number) =>
    report.verdicts.map((verdict) => {
      const { id, ...entry } = verdict.entry;
      return { ...verdict, entry: { ...entry, id: `${number} ${id}`, section: `section-${number}` } };
    }),
  );
  return { ...report, verdicts: verdicts.flat() };
}
