/** @returns A thenable that is not a Promise, like those of some libraries. */
export function thenable(
  then: (resolve: (value: unknown) => void, reject: (err: unknown) => void) => void,
): object {
  return { then };
}
