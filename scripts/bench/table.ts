/** Computes the figures of one workload and prints them as a table. */
import { formatLine } from '../table';
import type { Measured } from './measure';
import { median, quantile, ratiosOf } from './statistics';
import type { Workload } from './workloads';

export interface Figure {
  /** CPU microseconds per request. */
  cpu: number;
  /** Requests per second. */
  throughput: number;
  /** How many requests the peer serves in the CPU time that the base takes for one: the median. */
  ratio: number;
  /** First and third quartile of `ratio`. */
  quartiles: [low: number, high: number];
}

export interface Row {
  about: string;
  /** The peer to which the others are compared: `bare` if it was measured, else the first. */
  base: string;
  /** By which fraction the second copy of bare node:http differs from the first; null if it was not measured. */
  drift: number | null;
  /** Whether `drift` is above `NOISE`, which makes the figures invalid. */
  void: boolean;
  /** By name of the peer. */
  figures: Record<string, Figure>;
  /** By name of the peer: how its headers differ from Express's (or else bare's), or why the peer has no figure. */
  notes: Record<string, string>;
}

/** The largest tolerated difference between two copies of bare node:http, as a fraction. */
const NOISE = 0.05;

export function toRow({ about }: Workload, { slices, notes }: Measured): Row {
  const base = slices.bare ? 'bare' : (Object.keys(slices)[0] as string);
  const yardstick = slices[base] ?? [];
  const again = slices['bare again'];
  const drift = base === 'bare' && again ? median(ratiosOf(yardstick, again)) - 1 : null;
  const figures = Object.entries(slices).map(([peer, samples]): [string, Figure] => {
    const ratios = ratiosOf(yardstick, samples);
    return [
      peer,
      {
        cpu: median(samples.map(({ cpu }) => cpu)),
        throughput: median(samples.map(({ throughput }) => throughput)),
        ratio: median(ratios),
        quartiles: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
      },
    ];
  });
  return {
    about,
    base,
    drift,
    void: Math.abs(drift ?? 0) > NOISE,
    figures: Object.fromEntries(figures),
    notes,
  };
}

export function printRow(name: string, { about, base, drift, void: isVoid, figures, notes }: Row): void {
  const off = `${(Math.abs(drift ?? 0) * 100).toFixed(0)} %`;
  console.log(`\n${name}: ${about}${isVoid ? ` — VOID: two copies of bare differ by ${off}` : ''}`);
  const widths = [-14, 10, 10, 12, 14];
  console.log(formatLine(['', 'µs CPU', 'req/s', `/ ${base}`, 'quartiles'], widths));
  for (const [peer, { cpu, throughput, ratio, quartiles }] of Object.entries(figures)) {
    const spread = quartiles.map((quartile) => quartile.toFixed(2)).join('–');
    const cells = [cpu.toFixed(cpu < 100 ? 2 : 0), throughput.toFixed(0), ratio.toFixed(2), spread];
    const note = notes[peer] ? `  ${notes[peer]}` : '';
    console.log(`${formatLine([peer, ...cells], widths)}${note}`);
  }
  for (const [peer, note] of Object.entries(notes)) {
    if (!figures[peer]) console.log(formatLine([peer, `–  ${note}`], [-14, 0]));
  }
}
