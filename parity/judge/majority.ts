/**
 * Finds the runs of an implementation in which a request got another status, framing or connection state than in most
 * runs. Such runs are not compared, because a cause outside the application is likely, such as a busy database.
 */
import type { Observation } from '../implementations/protocol';

export interface Majority {
  /** The runs in which the request had the same status, framing and connection as in more than half of the runs. */
  readonly runs: readonly Observation[];
  /** What the others had, such as `500 in 1 of 3 runs`; empty if there are none. */
  readonly accidents: string;
  /** Whether more than half of the runs agree. If not, `runs` has all. */
  readonly isReached: boolean;
}

/** @param runs The runs of one implementation, each with the exchange of one request only. */
export function majorityOf(runs: readonly Observation[]): Majority {
  const signs = runs.map(signOf);
  const counts = new Map<string, number>();
  for (const sign of signs) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  const [most = '', count = 0] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [];
  const isReached = count > runs.length / 2;
  const others = signs.filter((sign) => sign !== most);
  return {
    runs: isReached ? runs.filter((_run, index) => signs[index] === most) : runs,
    accidents:
      others.length === 0
        ? ''
        : `${[...new Set(others)].join(', ')} in ${others.length} of ${runs.length} runs`,
    isReached,
  };
}

function signOf({ lost, threw, exchanges }: Observation): string {
  if (lost !== undefined || threw !== undefined) return 'its process ended';
  const [exchange] = exchanges;
  if (!exchange) return 'written';
  const { response, outcome, fault } = exchange;
  const { status, framing = '' } = response;
  return status === undefined ? `no response (${fault ?? outcome})` : [status, framing, outcome].join(' ');
}
