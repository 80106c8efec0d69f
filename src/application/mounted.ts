/** The mounted application, by the function that `app.use` adds to the stack for it. `nozomi/openapi` reads its routes. */
export const mountedApps: WeakMap<object, object> = new WeakMap();
