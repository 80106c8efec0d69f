// The page of the last parity run, which needs no other file. Without one, a page explains how to create it.
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { RequestHandler } from '../framework';

/** The page contains its style sheet and script, and loads no other file. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** @param file The absolute path of the page. It may be created and changed while the application runs. */
export function parityReport(file: string): RequestHandler {
  return (_req, res) => {
    if (!existsSync(file)) return res.render('parity-report');
    res.set('Content-Security-Policy', POLICY);
    // Served by its folder, because a parent folder of the checkout may have a name that begins with a dot.
    res.sendFile(basename(file), { root: dirname(file), cacheControl: false });
  };
}
