/** The charts of the last benchmark, if there are any: each `report/bench*.svg` is shown with its own `<title>`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @returns SVG elements as they are; omits a file that could run code or load anything. */
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
