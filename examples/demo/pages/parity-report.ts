// The page of the last parity run, which needs no other file; without one, a page that says how to make it.
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { RequestHandler } from '../framework';

/** The page holds its own style and script, and loads nothing. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** @param file Absolute path of the page; it may come and change while the desk is open. */
export function parityReport(file: string): RequestHandler {
  return (_req, res) => {
    if (!existsSync(file)) return res.render('parity-report');
    res.set('Content-Security-Policy', POLICY);
    // By its folder: a checkout may stand below one whose name begins with a dot.
    res.sendFile(basename(file), { root: dirname(file), cacheControl: false });
  };
}
