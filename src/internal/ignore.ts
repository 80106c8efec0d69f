/** Does nothing, for example with an error that another listener handles. */
export function ignore(): void {}
