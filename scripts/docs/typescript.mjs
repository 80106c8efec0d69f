// Preloaded for TypeDoc, which needs the JavaScript interface of the compiler: TypeScript 7 has none yet, so TypeDoc
// gets version 6.
import { register } from 'node:module';

const hook =
  "export const resolve = (name, context, next) => next(name === 'typescript' ? 'typescript-6' : name, context);";
register(`data:text/javascript,${encodeURIComponent(hook)}`);
