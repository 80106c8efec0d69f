/** Something with a `then` that is no promise of Node.js's, as some libraries return. */
export function thenable(
  then: (resolve: (value: unknown) => void, reject: (err: unknown) => void) => void,
): object {
  return { then };
}
