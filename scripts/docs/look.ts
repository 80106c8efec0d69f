import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { source as axe } from 'axe-core';
import { type Browser, chromium } from 'playwright-core';
import { programOf } from '../../spec/support/programs';
import { pagesBelow } from '../links';

const WIDTHS = [390, 1280];
const SCHEMES = ['light', 'dark'] as const;
/** Kinds of generated pages. Only the first page of each is opened, because they look alike. */
const KINDS = [
  /^index\.html$/,
  /^modules\/nozomi\.html$/,
  /^interfaces\/nozomi\.framework\.Application\.html$/,
  /^functions\//,
  /^types\//,
  /and_evidence\.F-4\.5/,
  /Express_4,_B/,
  /Recordings.*4\.5-redirect\.html$/,
  /^documents\/res\.res\.sendFile\.html$/,
  /^documents\/Recipes\.CORS\.html$/,
];

/**
 * Opens pages of the site in Chromium, in all `WIDTHS` and colour schemes, and takes screenshots.
 *
 * @param pictures The folder for the screenshots.
 * @returns One line for each fault that axe-core finds, for each page that is wider than the window, for each table that is too
 *   narrow or has too many columns, and for each key that does not do what it should.
 * @throws Error if Chromium is not installed.
 */
export async function lookAt(site: string, pictures: string): Promise<string[]> {
  const executablePath = programOf('chromium');
  mkdirSync(pictures, { recursive: true });
  const files = pagesBelow(site, '.html');
  const kinds = KINDS.map((kind) => files.find((file) => kind.test(file)));
  const documents = files.filter((file) => /^documents\/[^.]*\.html$/.test(file));
  const pages = [...new Set([...kinds, ...documents])].filter((file) => file !== undefined);

  const faults: string[] = [];
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--allow-file-access-from-files'],
  });
  try {
    for (const width of WIDTHS) {
      const page = await browser.newPage({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
      for (const file of pages) {
        await page.goto(pathToFileURL(join(site, file)).href);
        await page.evaluate(axe);
        for (const colorScheme of SCHEMES) {
          const where = `${file} at ${width}, ${colorScheme}`;
          await page.emulateMedia({ colorScheme });
          await page.waitForTimeout(50);
          if (kinds.includes(file))
            await page.screenshot({
              path: join(pictures, `${file.replaceAll('/', '-')}-${width}-${colorScheme}.png`),
            });
          const { violations } = (await page.evaluate('axe.run()')) as { violations: Violation[] };
          faults.push(...violations.map((violation) => `${where}: ${textOf(violation)}`));
        }
        const found = (await page.evaluate(LAYOUT)) as string[];
        faults.push(...found.map((fault) => `${file} at ${width}: ${fault}`));
      }
      await page.close();
    }
    faults.push(...(await useKeyboard(browser, site)));
  } finally {
    await browser.close();
  }
  console.log(
    `${pages.length} pages opened at ${WIDTHS.join(' and ')} pixels, light and dark: ${faults.length} faults`,
  );
  return faults;
}

/** Runs in the page: finds pages that are too wide, words that a cell breaks, and tables with too many columns for a phone. */
const LAYOUT = `(() => {
  const faults = [];
  const wide = document.documentElement.scrollWidth - window.innerWidth;
  if (wide > 0) faults.push(wide + ' pixels wider than the window');
  for (const table of document.querySelectorAll('.col-content table')) {
    const isTable = getComputedStyle(table).display === 'table';
    const columns = table.rows[0]?.cells.length ?? 0;
    if (window.innerWidth < 600 && isTable && columns > 4) faults.push('a table with ' + columns + ' columns');
    if (!isTable) continue;
    const walker = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode())
      for (const { index, 0: word } of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1) faults.push('a cell breaks the word ' + word);
      }
  }
  return [...new Set(faults)].slice(0, 3);
})()`;

/** Searches, chooses a result, and changes the package manager, with keys only. */
async function useKeyboard(browser: Browser, site: string): Promise<string[]> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const faults: string[] = [];
  const expect = async (what: string, script: string) => {
    const isTrue = await page.waitForFunction(script, undefined, { timeout: 10_000 }).then(
      () => true,
      () => false,
    );
    if (!isTrue) faults.push(`keyboard: ${what}`);
  };
  await page.goto(pathToFileURL(join(site, 'index.html')).href);
  await page.focus('.managers [role="tab"][aria-selected="true"]');
  await page.keyboard.press('ArrowRight');
  await expect(
    'the right arrow shows the next package manager',
    "document.activeElement?.textContent === 'pnpm'",
  );
  await page.keyboard.press('/');
  await expect('/ opens the search', "document.activeElement?.id === 'tsd-search-input'");
  await page.keyboard.type('res.json');
  await expect(
    'typing shows results, each with its series and an excerpt',
    "document.querySelectorAll('#tsd-search-results .series').length > 2 && document.querySelector('#tsd-search-results .excerpt').textContent !== ''",
  );
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect('Enter opens the first result', "location.href.includes('res.res.json')");
  await page.focus('.pager .next');
  await page.keyboard.press('Enter');
  await expect('Enter on Next opens the next page', "!location.href.includes('res.res.json.html')");
  await page.close();
  return faults;
}

function textOf({ id, nodes }: Violation): string {
  const targets = nodes.map(({ target }) => target.join(' '));
  return `${id}: ${targets.slice(0, 3).join(', ')}`;
}

interface Violation {
  id: string;
  nodes: { target: string[] }[];
}
