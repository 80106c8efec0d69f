/** Uses an application as users do: with its pages in Chromium, or with requests only. */
import type { Browser, Page } from 'playwright-core';
import type { RecordedApplication, RecordedRequest } from './list';

/** The maximum number of links that are followed from a page. */
const LINKS = 5;
/** How many milliseconds a page may take to become idle; some pages never do. */
const REST = 5000;

/** @returns The number of pages that were opened. */
export async function visit(
  { pages = [], requests = [] }: RecordedApplication,
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
  // A target that is no page is downloaded, and may be an endless stream.
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
