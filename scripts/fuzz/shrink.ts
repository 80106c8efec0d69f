/** The least talk that still shows a difference: fewer requests, fewer lines, fewer bytes. */
import type { Talk } from './grammar';

/** Plays of a talk that may be spent on making it small. */
const BUDGET = 250;

/** @param differs Whether the implementations still differ on a talk. */
export async function shrink(talk: Talk, differs: (talk: Talk) => Promise<boolean>): Promise<Talk> {
  let least = talk;
  let left = BUDGET;
  const accept = async (candidate: Talk): Promise<boolean> => {
    if (left-- <= 0 || !(await differs(candidate))) return false;
    least = candidate;
    return true;
  };

  for (let index = least.requests.length - 1; index >= 0 && least.requests.length > 1; index--) {
    await accept({ ...least, requests: least.requests.filter((_bytes, at) => at !== index) });
  }
  for (let index = 0; index < least.requests.length; index++) {
    // By lines first, then by halves, quarters … down to single bytes.
    const size = least.requests[index]?.length ?? 0;
    for (let step = 'lines' as 'lines' | number; step === 'lines' || step >= 1; step = nextStep(step, size)) {
      let at = 0;
      while (left > 0 && at < (least.requests[index]?.length ?? 0)) {
        const bytes = least.requests[index] as Buffer;
        const end =
          step === 'lines' ? bytes.indexOf('\n', at) + 1 || bytes.length : Math.min(at + step, bytes.length);
        const without = Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]);
        if (!(await accept({ ...least, requests: least.requests.with(index, without) }))) at = end;
      }
    }
  }
  return least;
}

function nextStep(step: 'lines' | number, size: number): number {
  return Math.floor((step === 'lines' ? size : step) / 2);
}
