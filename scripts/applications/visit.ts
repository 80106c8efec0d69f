import type { Browser, Page } from 'playwright-core';
import type { Recorded, RecordedRequest } from './manifest';

/** Follows at most this many links of a page. */
const LINKS = 5;
/** Maximum milliseconds to wait until a page sends no more requests. Some pages never stop. */
const REST = 5000;

/**
 * Opens the pages of an application in Chromium and follows links, then sends its requests.
 *
 * @param origin The origin of the application, such as `http://127.0.0.1:3000`.
 * @returns The number of pages that Chromium opened or tried to open.
 */
export async function visit(
  { pages = [], requests = [] }: Recorded,
  origin: string,
  browser: Browser,
): Promise<number> {
  if (pages.length === 0) {
    for (const one of requests)
      await fetch(origin + one.path, toInit(one)).then((response) => response.text());
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
    await page.goto(origin + (pages[0] ?? '/'));
    for (const one of requests)
      await page.evaluate(([url, init]) => fetch(url, init).then((response) => response.text()), [
        origin + one.path,
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

function toInit({ method = 'GET', headers = {}, body }: RecordedRequest): RequestInit {
  const common: RequestInit = { method, headers, redirect: 'manual' };
  if (body === undefined) return common;
  if (typeof body === 'string') return { ...common, body };
  const type = { 'Content-Type': 'application/json' };
  return { ...common, headers: { ...type, ...headers }, body: JSON.stringify(body) };
}
