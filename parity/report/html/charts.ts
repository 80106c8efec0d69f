/** Reads the charts of the last benchmark, if they exist: `report/bench*.svg`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the contents of `bench*.svg` in a folder. A file that could run code or load other files is omitted. */
export function readCharts(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^bench.*\.svg$/.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replace(/^<\?xml[^>]*>\s*/, ''))
    .filter(
      (svg) => svg.startsWith('<svg') && !/<script|<foreignObject|\son\w+=|href="(?!#)|url\((?!#)/i.test(svg),
    );
}
