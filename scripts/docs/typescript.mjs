// Lets TypeDoc load TypeScript 6: TypeDoc uses the JavaScript API of the compiler, which TypeScript 7 does not have.
import { register } from 'node:module';

const hook =
  "export const resolve = (name, context, next) => next(name === 'typescript' ? '@typescript/typescript6' : name, context);";
register(`data:text/javascript,${encodeURIComponent(hook)}`);
