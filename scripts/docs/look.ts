import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { source as axe } from 'axe-core';
import { chromium } from 'playwright-core';
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
];

/**
 * Opens pages of the site in Chromium, in all `WIDTHS` and colour schemes, and takes screenshots.
 *
 * @param pictures The folder for the screenshots.
 * @returns One line for each fault that axe-core finds, and for each page that is wider than the window.
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
      for (const colorScheme of SCHEMES) {
        const page = await browser.newPage({
          viewport: { width, height: 900 },
          colorScheme,
          reducedMotion: 'reduce',
        });
        for (const file of pages) {
          const where = `${file} at ${width}, ${colorScheme}`;
          await page.goto(pathToFileURL(join(site, file)).href);
          await page.waitForTimeout(150);
          await page.screenshot({
            path: join(pictures, `${file.replaceAll('/', '-')}-${width}-${colorScheme}.png`),
          });
          await page.evaluate(axe);
          const { violations } = (await page.evaluate('axe.run()')) as { violations: Violation[] };
          for (const { id, nodes } of violations)
            faults.push(
              `${where}: ${id}: ${nodes
                .map(({ target }) => target.join(' '))
                .slice(0, 3)
                .join(', ')}`,
            );
          const wide = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
          if (Number(wide) > 0) faults.push(`${where}: ${wide} pixels wider than the window`);
        }
        await page.close();
      }
    }
  } finally {
    await browser.close();
  }
  console.log(
    `${pages.length} pages opened at ${WIDTHS.join(' and ')} pixels, light and dark: ${faults.length} faults`,
  );
  return faults;
}

interface Violation {
  id: string;
  nodes: { target: string[] }[];
}
