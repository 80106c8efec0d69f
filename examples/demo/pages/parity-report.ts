// Shows the HTML report of the last parity run. If there is none, a page explains how to create it.
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { RequestHandler } from '../framework';

/** The report contains its style sheet and script, and loads no other file. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/**
 * Creates the handler that sends the report.
 *
 * @param file The absolute path of the report. A parity run may create or change the file at any time.
 */
export function parityReport(file: string): RequestHandler {
  return (_req, res) => {
    if (!existsSync(file)) return res.render('parity-report');
    res.set('Content-Security-Policy', POLICY);
    // With `root`, `sendFile` accepts a checkout below a folder whose name begins with a dot.
    res.sendFile(basename(file), { root: dirname(file), cacheControl: false });
  };
}
