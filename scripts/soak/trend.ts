/** Estimates how fast a measured value grows, with a confidence interval. */

export interface Trend {
  readonly mean: number;
  /** The slope per unit of time, by least squares. */
  readonly slope: number;
  /** The lower end of the 99 % confidence interval of the slope. If it is below 0, growth may be noise. */
  readonly low: number;
  /** The upper end of the 99 % confidence interval of the slope. */
  readonly high: number;
}

/** The 99.5th percentile of the normal distribution. `trendOf` corrects it for few samples (Cornish–Fisher expansion). */
const Z = 2.5758;

/**
 * Fits a line to measurements by least squares.
 *
 * @param points Times and values, ordered by time; at least four.
 */
export function trendOf(points: readonly (readonly [time: number, value: number])[]): Trend {
  const count = points.length;
  const meanTime = sum(points.map(([time]) => time)) / count;
  const mean = sum(points.map(([, value]) => value)) / count;
  const spread = sum(points.map(([time]) => (time - meanTime) ** 2));
  const slope = sum(points.map(([time, value]) => (time - meanTime) * (value - mean))) / spread;

  const rest = points.map(([time, value]) => value - mean - slope * (time - meanTime));
  const squares = sum(rest.map((one) => one ** 2));
  // Count correlated samples as fewer samples: a heap keeps most of its contents from one sample to the next.
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
