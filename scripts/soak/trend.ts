/** How what is measured again and again grows, and how sure that is. */

export interface Trend {
  readonly mean: number;
  /** By least squares, per unit of time. */
  readonly slope: number;
  /** The interval that holds the true slope in 99 of 100 soaks. It contains 0: there is no growth beyond noise. */
  readonly low: number;
  readonly high: number;
}

/** The 99.5th percentile of the normal distribution; of Student's by Cornish and Fisher's expansion. */
const Z = 2.5758;

/** @param points Times and values, in the order of time; at least four. */
export function trendOf(points: readonly (readonly [time: number, value: number])[]): Trend {
  const count = points.length;
  const meanTime = sum(points.map(([time]) => time)) / count;
  const mean = sum(points.map(([, value]) => value)) / count;
  const spread = sum(points.map(([time]) => (time - meanTime) ** 2));
  const slope = sum(points.map(([time, value]) => (time - meanTime) * (value - mean))) / spread;

  const rest = points.map(([time, value]) => value - mean - slope * (time - meanTime));
  const squares = sum(rest.map((one) => one ** 2));
  // What is left is no white noise: a heap keeps some of what it held before. So many fewer samples these are.
  const alike = sum(rest.slice(1).map((one, at) => one * (rest[at] as number))) / (squares || 1);
  const worth = Math.max(4, (count * (1 - Math.max(0, alike))) / (1 + Math.max(0, alike)));
  const freedom = worth - 2;
  const error = Math.sqrt(squares / count / freedom / (spread / count));
  const reach = Z * (1 + (Z ** 2 + 1) / (4 * freedom)) * error;
  return { mean, slope, low: slope - reach, high: slope + reach };
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
