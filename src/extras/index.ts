/** Entry point `nozomi/extras`: what users of Express have asked for, as functions that an application can call. */
export { type ContextOptions, context, getContext, type RequestContext } from './context';
export { methodNotAllowed, type StrictApplication, type StrictOptions, strict, strictServer } from './strict';
export { signal, type TimeoutOptions, timeout } from './timeout';
export { onUpgrade, type UpgradeHandler, type UpgradeOptions, upgrade } from './upgrade';
export { type Schemas, type StandardSchema, validate } from './validate';
