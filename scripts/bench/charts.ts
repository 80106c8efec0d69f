/** Draws the results as standalone SVG charts, in the text colour of the page that contains them. */
import type { Results } from './results';
import type { Row } from './table';

interface Bar {
  name: string;
  value: number;
  /** First and third quartile; absent for figures that have only a median. */
  spread?: readonly [low: number, high: number];
}

interface Panel {
  title: string;
  bars: Bar[];
  /** The figures are invalid because the machine was too noisy. */
  isVoid: boolean;
  format(value: number): string;
}

/** Maps the name of a chart to its title and to prefixes of the names of its workloads. */
const GROUPS: Readonly<Record<string, readonly [title: string, ...names: string[]]>> = {
  answers: [
    'Responses',
    'hello',
    'json',
    'params',
    'middleware',
    'subapp',
    'headers',
    'changing',
    'no-etag',
    'hello-own-server',
  ],
  routes: ['Route tables', 'routes-'],
  bodies: ['Bodies', 'post-', 'form'],
  logging: ['Logging', 'logged-'],
  files: ['Files', 'static-'],
};

/** Widths and, in `HIGH`, heights in SVG units. */
const WIDE = { page: 860, panel: 420, name: 76, bar: 250 };
const HIGH = { row: 19, bar: 12, title: 30, gap: 22, head: 62 };
const OURS = '#3a8f5d';
const THEIRS = '#8b8f98';

/** @returns SVG text by file name, in reading order. */
export function toCharts(results: Results): Map<string, string> {
  const charts = new Map<string, string>();
  const add = (name: string, title: string, panels: Panel[]): void => {
    if (panels.length > 0) charts.set(`bench-${charts.size + 1}-${name}.svg`, draw(title, results, panels));
  };
  for (const [name, [title, ...starts]] of Object.entries(GROUPS)) {
    const rows = Object.entries(results.rows).filter(([one]) =>
      starts.some((start) => one.startsWith(start)),
    );
    add(
      name,
      `${title}: requests in the CPU time in which bare node:http answers one`,
      rows.map(([, row]) => panelOf(row)),
    );
  }
  add('start-up', 'Start-up: milliseconds of CPU, less is better', startupPanels(results));
  add('memory', 'Memory: megabytes, less is better', memoryPanels(results));
  return charts;
}

function panelOf({ about, figures, void: isVoid }: Row): Panel {
  const bars = Object.entries(figures)
    .filter(([name]) => name !== 'bare again')
    .map(([name, { ratio, quartiles }]): Bar => ({ name, value: ratio, spread: quartiles }))
    .sort((a, b) => b.value - a.value);
  return { title: about, bars, isVoid, format: (value) => value.toFixed(2) };
}

function startupPanels({ startup = {} }: Results): Panel[] {
  const panel = (title: string, key: 'load' | 'register' | 'first'): Panel =>
    ascending(
      title,
      Object.entries(startup).map(([name, figure]) => [name, figure[key]]),
    );
  if (Object.keys(startup).length === 0) return [];
  return [
    panel('loading the framework', 'load'),
    panel('registering 1,000 routes and listening', 'register'),
    panel('the first response', 'first'),
  ];
}

function memoryPanels({ memory = {} }: Results): Panel[] {
  const panel = (title: string, when: 'idle' | 'after', key: 'rss' | 'heap'): Panel =>
    ascending(
      title,
      Object.entries(memory).map(([name, figure]) => [name, figure[when][key] / 1e6]),
    );
  if (Object.keys(memory).length === 0) return [];
  return [
    panel('resident, idle', 'idle', 'rss'),
    panel('heap after a collection, idle', 'idle', 'heap'),
    panel('resident, after the requests', 'after', 'rss'),
    panel('heap after a collection, after the requests', 'after', 'heap'),
  ];
}

function ascending(title: string, values: ReadonlyArray<readonly [name: string, value: number]>): Panel {
  const bars = values
    .filter(([name]) => name !== 'bare again')
    .map(([name, value]) => ({ name, value }))
    .sort((a, b) => a.value - b.value);
  return { title, bars, isVoid: false, format: (value) => value.toFixed(1) };
}

/** Draws the panels of one chart in two columns. */
function draw(title: string, { node, machine }: Results, panels: readonly Panel[]): string {
  const parts: string[] = [];
  let top = HIGH.head;
  for (let n = 0; n < panels.length; n += 2) {
    const pair = panels.slice(n, n + 2);
    parts.push(...pair.map((panel, column) => drawPanel(panel, column * (WIDE.page - WIDE.panel), top)));
    top += HIGH.title + HIGH.gap + HIGH.row * Math.max(...pair.map(({ bars }) => bars.length));
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDE.page} ${top}" width="100%" font-family="system-ui, sans-serif" font-size="12" fill="currentColor" role="img">
<title>${escapeXml(title)}</title>
${text(0, 20, title, 'font-size="16" font-weight="600"')}
${text(0, 40, `Node.js ${node}, ${machine}; medians, whiskers from quartile to quartile`, 'opacity=".65"')}
${parts.join('\n')}
</svg>
`;
}

function drawPanel({ title, bars, isVoid, format }: Panel, left: number, top: number): string {
  const most = Math.max(...bars.map(({ value, spread }) => Math.max(value, spread?.[1] ?? 0)));
  const at = (value: number): number => Number((WIDE.name + (value / most) * WIDE.bar).toFixed(1));
  const lines = bars.map(({ name, value, spread }, n) => {
    const middle = HIGH.title + n * HIGH.row;
    const isOurs = name === 'nozomi';
    const [low, high] = (spread ?? [value, value]).map(at) as [number, number];
    return [
      text(WIDE.name - 6, middle + 4, name, `text-anchor="end"${isOurs ? ' font-weight="600"' : ''}`),
      `<rect x="${WIDE.name}" y="${middle - HIGH.bar / 2}" width="${Math.max(0.5, at(value) - WIDE.name)}" height="${HIGH.bar}" rx="2" fill="${isOurs ? OURS : THEIRS}"/>`,
      ...(spread ? [`<path d="M${low} ${middle}H${high}" stroke="currentColor" fill="none"/>`] : []),
      text(Math.max(at(value), high) + 6, middle + 4, format(value)),
    ].join('');
  });
  const heading = isVoid ? `${title} — void, too noisy` : title;
  return `<g transform="translate(${left} ${top})"${isVoid ? ' opacity=".45"' : ''}>${text(0, 8, heading, 'font-weight="600"')}
${lines.join('\n')}</g>`;
}

function text(x: number, y: number, words: string, attributes = ''): string {
  return `<text x="${x}" y="${y}"${attributes ? ` ${attributes}` : ''}>${escapeXml(words)}</text>`;
}

function escapeXml(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
