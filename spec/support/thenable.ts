/** A thenable that is not a promise of Node.js, as some libraries return. */
export function thenable(
  then: (resolve: (value: unknown) => void, reject: (err: unknown) => void) => void,
): object {
  return { then };
}
