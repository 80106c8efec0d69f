/** Finds mistakes in the source of handlers, as a parser reads it. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, isAbsolute, join, resolve } from 'node:path';
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import { memberName } from '../../migrate/kinds';
import { loadParser, type Parser } from '../../migrate/parser';
import type { LiveApplication } from '../live';
import type { Finding } from '../model';
import type { AnyApplication } from '../registrations';
import { type LiveNode, walkTree } from '../tree';
import { CODES } from './codes';
import { functionsOf, type NamedFunction } from './functions';

type Mistake = Pick<Finding, 'code' | 'message' | 'fix'>;

/** A handler in its place, parsed. */
interface Handler {
  readonly isExpress5: boolean;
  /** The application that runs the handler; undefined for a router alone. */
  readonly application: AnyApplication | undefined;
  /** The folder of the application's package. */
  readonly home: string;
  readonly definesQuery: boolean;
  isRequest(path: NodePath): boolean;
  isResponse(path: NodePath): boolean;
}

export async function findInHandlers({ roots, home }: LiveApplication): Promise<Finding[]> {
  const parser = loadParser();
  const nodes = roots.flatMap((root) => [...walkTree(root)]);
  const sources = nodes.flatMap((node) => functionsOf(node).map(({ handle }) => String(handle)));
  const definesQuery = sources.some((text) => /defineProperty\([^)]*\bquery\b/.test(text));
  const seen = new Set<unknown>();
  return nodes.flatMap((node) =>
    functionsOf(node).flatMap((one): Finding[] => {
      if (seen.has(one.handle)) return [];
      seen.add(one.handle);
      return mistakesIn(one, node, { parser, home, definesQuery }).map((mistake) => ({
        ...mistake,
        severity: 'warning',
        site: one.site,
      }));
    }),
  );
}

function mistakesIn(
  { handle, name }: NamedFunction,
  node: LiveNode,
  { parser, home, definesQuery }: { parser: Parser; home: string; definesQuery: boolean },
): Mistake[] {
  const file = parsed(String(handle), parser);
  const mistakes = new Map<string, Mistake>();
  if (!file) return [];
  let handler: Handler | undefined;
  const add = (found: Mistake | undefined): void => {
    if (found) mistakes.set(found.code + found.message, { ...found, message: `${name} ${found.message}` });
  };
  parser.traverse(file, {
    Function(path) {
      // The outermost function is the handler.
      handler ??= {
        ...rolesOf(path, handle.length),
        isExpress5: node.series === '5.x',
        home,
        definesQuery,
        application: applicationOf(node),
      };
    },
    CallExpression: (path) => handler && add(mistakeInCall(path, handler)),
    AssignmentExpression: (path) => handler && add(queryWrite(path, handler)),
    MemberExpression: (path) => handler && add(nestedQuery(path, handler)),
    BlockStatement: (path) => handler && add(secondResponse(path, handler)),
  });
  return [...mistakes.values()];
}

/** Parses the source of a function, also of a method such as `show(req, res) {}`; undefined if it is no JavaScript. */
function parsed(text: string, { parse }: Parser): t.File | undefined {
  for (const source of [`(${text})`, `({${text}})`]) {
    try {
      const file: t.File & { readonly errors?: readonly unknown[] } = parse(source, 'handler.js');
      if (!file.errors?.length) return file;
    } catch {
      // The other form.
    }
  }
  return undefined;
}

function rolesOf(fn: NodePath<t.Function>, length: number): Pick<Handler, 'isRequest' | 'isResponse'> {
  const first = length === 4 ? 1 : 0;
  const isParameter = (path: NodePath, index: number): boolean =>
    path.isIdentifier() && path.scope.getBinding(path.node.name)?.identifier === fn.node.params[index];
  return {
    isRequest: (path) => isParameter(path, first),
    isResponse: (path) => isParameter(path, first + 1),
  };
}

function applicationOf(node: LiveNode): AnyApplication | undefined {
  return node.application ?? (node.parent && applicationOf(node.parent));
}

/** The name of the method that a call runs on the response, also behind others: `json` in `res.status(1).json()`. */
function methodOf(path: NodePath, handler: Handler): string | undefined {
  const callee = path.isCallExpression() ? path.get('callee') : undefined;
  if (!callee?.isMemberExpression()) return undefined;
  const object = callee.get('object');
  return handler.isResponse(object) || methodOf(object, handler) ? memberName(callee.node) : undefined;
}

function mistakeInCall(path: NodePath<t.CallExpression>, handler: Handler): Mistake | undefined {
  const name = methodOf(path, handler);
  const [first, second] = path.node.arguments;
  if (first?.type !== 'StringLiteral') return undefined;
  const { value } = first;
  if (name === 'sendFile' && !isAbsolute(value) && (!second || /Function/.test(second.type)))
    return {
      code: CODES.relativeFile.code,
      message: `sends "${value}", which is not an absolute path`,
      fix: `res.sendFile("${value}", { root: __dirname })`,
    };
  if ((name === 'status' || name === 'sendStatus') && handler.isExpress5)
    return {
      code: CODES.statusText.code,
      message: `calls res.${name}("${value}"): Express 5 needs a number`,
      fix: `write res.${name}(${Number(value) || 500})`,
    };
  return name === 'render' ? missingView(value, handler) : undefined;
}

function missingView(name: string, { application, home }: Handler): Mistake | undefined {
  if (!application) return undefined;
  const settings = (application as { settings: Record<string, unknown> }).settings;
  const engine = settings['view engine'];
  const mistake = (message: string, fix: string): Mistake => ({ code: CODES.view.code, message, fix });
  if (extname(name) === '' && !engine)
    return mistake(
      `renders "${name}" without a view engine`,
      "app.set('view engine', 'ejs'), or name the extension",
    );
  const extension = extname(name) || `.${String(engine).replace(/^\./, '')}`;
  const { engines = {} } = application as { engines?: Readonly<Record<string, unknown>> };
  if (!engines[extension] && !canLoad(extension.slice(1), home))
    return mistake(
      `renders "${name}", but ${extension.slice(1)} is not installed, and app.engine("${extension.slice(1)}", …) is not called`,
      `npm install ${extension.slice(1)}`,
    );
  // Another class of views may look elsewhere.
  if ((settings.view as { name?: string } | undefined)?.name !== 'View' || isAbsolute(name)) return undefined;
  const folders = [settings.views].flat().filter((one): one is string => typeof one === 'string');
  const file = extname(name) ? name : name + extension;
  const places = folders.flatMap((folder) => [join(folder, file), join(folder, name, `index${extension}`)]);
  if (folders.length === 0 || places.some((place) => existsSync(resolve(place)))) return undefined;
  return mistake(
    `renders "${name}", but ${places[0]} does not exist`,
    'correct the name, or the setting "views"',
  );
}

function canLoad(name: string, home: string): boolean {
  try {
    createRequire(join(home, 'package.json')).resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** The names of the members in `req.query.a.b`, from `query` on; undefined for another expression. */
function queryMembers(path: NodePath, handler: Handler): Array<string | undefined> | undefined {
  if (!path.isMemberExpression()) return undefined;
  const object = path.get('object');
  const name = memberName(path.node);
  if (handler.isRequest(object)) return name === 'query' ? [name] : undefined;
  const outer = queryMembers(object, handler);
  return outer && [...outer, name];
}

function queryWrite(path: NodePath<t.AssignmentExpression>, handler: Handler): Mistake | undefined {
  const written = queryMembers(path.get('left') as NodePath, handler);
  if (!written || !handler.isExpress5 || handler.definesQuery) return undefined;
  return {
    code: CODES.query.code,
    message: `writes to ${['req', ...written.filter(Boolean)].join('.')}, which Express 5 computes at each read`,
    fix: 'keep the value in res.locals or in a property of the request, or define req.query with Object.defineProperty',
  };
}

function nestedQuery(path: NodePath<t.MemberExpression>, handler: Handler): Mistake | undefined {
  const [, outer, inner, ...more] = queryMembers(path, handler) ?? [];
  const parser = handler.application?.settings['query parser'];
  if (!outer || !inner || more.length > 0 || parser !== 'simple' || !handler.isExpress5) return undefined;
  // Members of strings and lists, such as `length`, and numbers may exist.
  if (inner in Array.prototype || inner in String.prototype || /^\d+$/.test(inner) || handler.definesQuery)
    return undefined;
  return {
    code: CODES.query.code,
    message: `reads req.query.${outer}.${inner}, but Express 5 does not parse nested values`,
    fix: "app.set('query parser', 'extended')",
  };
}

const RESPONDS = new Set('send json jsonp sendStatus redirect render sendFile download end'.split(' '));

/** Two calls that respond and stand in one block, the first of them perhaps in an `if` without `else`. */
function secondResponse(path: NodePath<t.BlockStatement>, handler: Handler): Mistake | undefined {
  let first: string | undefined;
  for (const statement of path.get('body') as NodePath<t.Statement>[]) {
    const name = respondsBy(statement, handler);
    // `res.send(…); res.end()` does no harm.
    if (name && first && name !== 'end')
      return {
        code: CODES.secondResponse.code,
        message: `may respond twice: with res.${first}(), and then with res.${name}()`,
        fix: `return after res.${first}()`,
      };
    first ??= name ?? respondsInBranch(statement, handler);
  }
  return undefined;
}

function respondsBy(statement: NodePath, handler: Handler): string | undefined {
  const name = statement.isExpressionStatement() ? methodOf(statement.get('expression'), handler) : undefined;
  return name !== undefined && RESPONDS.has(name) ? name : undefined;
}

/** The call at the end of the branch of an `if`, if the code after the `if` runs next. */
function respondsInBranch(statement: NodePath, handler: Handler): string | undefined {
  if (!statement.isIfStatement() || statement.node.alternate) return undefined;
  const branch = statement.get('consequent') as NodePath;
  const last = branch.isBlockStatement() ? branch.get('body').at(-1) : branch;
  return last ? respondsBy(last as NodePath, handler) : undefined;
}
