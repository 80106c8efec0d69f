/** Calls a function and returns the type of its result, or its error as text. */
export function outcomeOf(act: () => unknown): string {
  try {
    return typeof act();
  } catch (error) {
    return String(error);
  }
}
