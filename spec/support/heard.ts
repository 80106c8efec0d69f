/** Records events of the process while a function runs. */

export type Heard = Error & { readonly namespace?: string; readonly code?: string };

/** @returns The deprecations of depd, or the warnings of Node.js, that are emitted during `run`. */
export async function heardDuring(event: 'deprecation' | 'warning', run: () => unknown): Promise<Heard[]> {
  const heard: Heard[] = [];
  const hear = (one: Heard): void => void heard.push(one);
  process.on(event as 'warning', hear);
  try {
    await run();
  } finally {
    process.off(event, hear);
  }
  return heard;
}
