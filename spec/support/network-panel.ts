/** Imports a HAR file into the network panel of Chromium's developer tools. */
import { readFileSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import { freePort } from '../../parity/harness/processes';

export interface ImportedRequest {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly body: string;
}

/** Runs in the page of the developer tools, and calls what the button "Import HAR file…" calls. */
const IMPORT = `async (text) => {
  const { NetworkPanel } = await import('./panels/network/network.js');
  const { NetworkLog } = await import('./models/logs/logs.js');
  const panel = NetworkPanel.NetworkPanel.instance();
  await panel.networkLogView.onLoadFromFile(new File([text], 'traffic.har', { type: 'application/json' }));
  return Promise.all(NetworkLog.NetworkLog.instance().requests().map(async (request) => {
    const { text: body = '' } = await request.requestContentData();
    return { method: request.requestMethod, url: request.url(), status: request.statusCode, body };
  }));
}`;

/** @param executablePath The path of Chromium. @returns The requests that the panel shows. */
export async function importHar(executablePath: string, file: string): Promise<ImportedRequest[]> {
  const port = await freePort();
  const args = ['--no-sandbox', `--remote-debugging-port=${port}`, '--remote-allow-origins=*'];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const context = await browser.newContext();
    const inspected = await context.newPage();
    await inspected.goto('about:blank#inspected');
    const pages = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as Array<{
      id: string;
      url: string;
    }>;
    const { id } = pages.find(({ url }) => url.endsWith('#inspected')) ?? {};
    const tools = await context.newPage();
    const address = `127.0.0.1:${port}/devtools`;
    await tools.goto(`http://${address}/inspector.html?ws=${address}/page/${id}&panel=network`);
    await tools.waitForSelector('.root-view');
    return await evaluate(tools, readFileSync(file, 'utf8'));
  } finally {
    await browser.close();
  }
}

function evaluate(page: Page, text: string): Promise<ImportedRequest[]> {
  return page.evaluate<ImportedRequest[]>(`(${IMPORT})(${JSON.stringify(text)})`);
}
