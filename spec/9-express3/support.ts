/** A function that several specs of §9.3 use. */

/** Runs a function while NODE_ENV is `env`. */
export function underEnv<Result>(env: string | undefined, act: () => Result): Result {
  const former = process.env.NODE_ENV;
  const set = (value: string | undefined): void => {
    if (value === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = value;
  };
  set(env);
  try {
    return act();
  } finally {
    set(former);
  }
}
