/**
 * Writes declarations with `export =`: a function, and a namespace with its members and types. So each type has a name below
 * the path of the entry point, which TypeScript prints in the declarations of applications, and which
 * `declare module` can augment.
 */

/** The members of the function that are no functions of their own, as an interface declares them. */
const MEMBERS = /^interface Members \{\n([\s\S]*?)^\}\n/m;
/** The middleware as an object, and the function with its members: the namespace has them all. */
const OBJECT = /^declare const middleware_[\s\S]*?^type MiddlewareMembers = .*\n/m;
const FUNCTION = (type: string): RegExp =>
  new RegExp(`^(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?interface ${type} [\\s\\S]*?^\\}\\n`, 'm');

/**
 * @param name The name of the function and the namespace: `express3`. Its type is `Express3`.
 * @param bundled Declarations of the types and the members, which export at their end what the entry point imports.
 */
export function intoNamespace(name: string, bundled: string): string {
  const type = name[0]?.toUpperCase() + name.slice(1);
  const imports = bundled.match(/^import .*\n/gm) ?? [];
  const [, members = ''] = MEMBERS.exec(bundled) ?? [];
  const values = [...members.matchAll(/^(?: {4}(\/\*\*.*\*\/\n))? {4}(\w+)[:(]/gm)].map(
    ([, comment = '', member]) => `${comment}var ${member}: Members['${member}'];\n`,
  );
  const declarations = bundled
    .replace(/^(import|export) .*\n/gm, '')
    .replace(OBJECT, '')
    .replace(FUNCTION(type), '')
    .concat(...values)
    .replace(/^(?:declare )?(?=(?:function|const|var|interface|type) (?!serveStatic\b))/gm, 'export ')
    .replace(/^declare (?=function serveStatic\b)/gm, '');
  return `${imports.join('')}
import Itself = ${name};

/** Creates an application. */
declare function ${name}(): ${name}.Application;

declare namespace ${name} {
${declarations.trim().replace(/^(?=.)/gm, '    ')}
    export { Itself as default, serveStatic as static };
    /** The function with its members. */
    export type ${type} = typeof Itself;
}

export = ${name};
`;
}
