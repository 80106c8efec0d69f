import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { readRequests } from '../../parity/application/traffic';
import type { Request } from '../../parity/client/messages';
import type { Recorded } from '../published/manifest';

/** Follows at most this many links of a page. */
const LINKS = 5;
/** Maximum milliseconds to wait until a page sends no more requests. Some pages never stop. */
const REST = 5000;
/** Maximum milliseconds until a page that sends requests is loaded. */
const LOAD = 180_000;

/**
 * Opens the pages of an application in Chromium and follows links, then sends its requests.
 *
 * @param origin The origin of the application, such as `http://127.0.0.1:3000`.
 * @returns The number of pages that Chromium opened or tried to open.
 */
export async function visit(
  { home, pages = [] }: Recorded,
  origin: string,
  browser: Browser,
): Promise<number> {
  const { requests } = readRequests(join(home, 'requests.http'));
  if (pages.length === 0) {
    for (const one of requests)
      await fetch(origin + one.target, toInit(one)).then((response) => response.text());
    return 0;
  }
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.on('dialog', (dialog) => void dialog.dismiss());
    const opened = new Set<string>();
    for (const path of pages) {
      await open(page, origin + path, opened);
      for (const link of (await linksOf(page, origin)).slice(0, LINKS)) await open(page, link, opened);
    }
    await page.goto(origin + (pages[0] ?? '/'), { timeout: LOAD });
    for (const one of requests)
      await page.evaluate(([url, init]) => fetch(url, init).then((response) => response.text()), [
        origin + one.target,
        toInit(one),
      ] as const);
    return opened.size;
  } finally {
    await context.close();
  }
}

async function open(page: Page, url: string, opened: Set<string>): Promise<void> {
  if (opened.has(url)) return;
  opened.add(url);
  // Ignore failures: Chromium downloads a target that is not a page, and a stream may never end.
  await page.goto(url, { waitUntil: 'networkidle', timeout: REST }).catch(() => {});
}

async function linksOf(page: Page, origin: string): Promise<string[]> {
  const links: string[] = await page
    .evaluate<string[]>("[...document.querySelectorAll('a[href]')].map(({ href }) => href)")
    .catch(() => []);
  return [...new Set(links.map((link) => link.replace(/#.*$/, '')))].filter((link) =>
    link.startsWith(`${origin}/`),
  );
}

/** Omits the headers that `fetch` sets itself. */
function toInit({ method, headers, payload }: Request): RequestInit {
  const sent = headers.filter(([name]) => !/^(host|content-length)$/i.test(name));
  const body = payload.length > 0 ? { body: String(payload) } : {};
  return { method, headers: Object.fromEntries(sent), redirect: 'manual', ...body };
}
