/** Finds mistakes in the source of handlers, as a parser reads it. */
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, isAbsolute, join, resolve } from 'node:path';
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import { memberName } from '../../migrate/syntax';
import { insertAfterCreation, insertAt, replaceNode } from '../changes';
import type { LiveApplication } from '../live';
import type { Change, Finding } from '../model';
import type { AnyApplication } from '../registrations';
import type { Sources } from '../sources';
import { walkTree } from '../tree';
import { CODES } from './codes';
import { folderNameIn, joinedIn } from './files';
import { functionsOf } from './functions';
import {
  applicationOf,
  codeOf,
  type HandlerCode,
  handlersIn,
  type Mistake,
  methodOf,
  reportsOf,
} from './handler-code';
import { readsOf } from './members';

interface Place {
  readonly code: HandlerCode;
  readonly isExpress5: boolean;
  /** The application that runs the handler; undefined for a router alone. */
  readonly application: AnyApplication | undefined;
  /** The folder of the application's package. */
  readonly home: string;
  readonly definesQuery: boolean;
  readonly sources: Sources;
}

export function findInHandlers(live: LiveApplication): Finding[] {
  const handlers = handlersIn(live);
  const definesQuery = handlers.some(({ live: one }) =>
    /defineProperty\([^)]*\bquery\b/.test(String(one?.handle)),
  );
  return handlers.flatMap((code) => {
    const place: Place = {
      code,
      isExpress5: code.series === '5.x',
      home: live.home,
      definesQuery,
      sources: live.sources,
      application: code.live && applicationOf(code.live.node),
    };
    return reportsOf(code, {
      CallExpression: (path) => mistakeInCall(path, place),
      AssignmentExpression: (path) => queryWrite(path, place),
      MemberExpression: (path) => nestedQuery(path, place),
    });
  });
}

function mistakeInCall(path: NodePath<t.CallExpression>, place: Place): Mistake | undefined {
  const { code, isExpress5 } = place;
  const name = methodOf(path, code);
  const [first, second] = path.node.arguments;
  const joined = name === 'sendFile' || name === 'download' ? joinedIn(first, code.parsed) : undefined;
  if (joined) return { ...joined, node: path.node };
  if (first?.type !== 'StringLiteral') return undefined;
  const { value } = first;
  if (name === 'sendFile' && !isAbsolute(value) && (!second || /Function/.test(second.type)))
    return {
      code: CODES.relativeFile.code,
      message: `sends "${value}", which is not an absolute path`,
      node: path.node,
      change: rootedFile(first, code),
    };
  const status = Number(value);
  if ((name === 'status' || name === 'sendStatus') && isExpress5)
    return {
      code: CODES.statusText.code,
      message: `calls res.${name}("${value}"): Express 5 needs a number`,
      node: path.node,
      change: status >= 100 && status < 1000 ? replaceNode(code.parsed, first, value) : undefined,
    };
  return name === 'render' ? missingView(path.node, value, place) : undefined;
}

/** Adds the folder of the source file as `root`, if the file is there. */
function rootedFile(argument: t.StringLiteral, { parsed }: HandlerCode): Change | undefined {
  if (!parsed || !existsSync(join(dirname(parsed.file), argument.value))) return undefined;
  const options = `{ root: ${folderNameIn(parsed)} }`;
  return insertAt(parsed, argument.end, `, ${options}`, `add the option ${options}`);
}

function missingView(node: t.Node, name: string, place: Place): Mistake | undefined {
  const { application, home } = place;
  if (!application) return undefined;
  const settings = (application as { settings: Record<string, unknown> }).settings;
  const engine = settings['view engine'];
  const mistake = (message: string, change?: Change): Mistake => ({
    code: CODES.view.code,
    message,
    node,
    change,
  });
  const folders = [settings.views].flat().filter((one): one is string => typeof one === 'string');
  if (extname(name) === '' && !engine)
    return mistake(`renders "${name}" without a view engine`, engineFor(name, folders, place));
  const extension = extname(name) || `.${String(engine).replace(/^\./, '')}`;
  const { engines = {} } = application as { engines?: Readonly<Record<string, unknown>> };
  if (!engines[extension] && !canLoad(extension.slice(1), home))
    return mistake(
      `renders "${name}", but there is no package ${extension.slice(1)} that renders it, and app.engine("${extension.slice(1)}", …) is not called`,
    );
  // Another class of views may look elsewhere.
  if ((settings.view as { name?: string } | undefined)?.name !== 'View' || isAbsolute(name)) return undefined;
  const file = extname(name) ? name : name + extension;
  const places = folders.flatMap((folder) => [join(folder, file), join(folder, name, `index${extension}`)]);
  if (folders.length === 0 || places.some((one) => existsSync(resolve(one)))) return undefined;
  return mistake(`renders "${name}", but ${places[0]} does not exist`);
}

/** Sets the view engine that renders the view in the folder, if it is installed. */
function engineFor(
  name: string,
  folders: readonly string[],
  { home, application, code, sources }: Place,
): Change | undefined {
  const extensions = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder))
    .filter((file) => file.startsWith(`${name}.`))
    .map((file) => extname(file).slice(1));
  const [engine] = extensions.filter((one) => canLoad(one, home));
  if (!engine || code.live?.node.parent?.application !== application) return undefined;
  return insertAfterCreation(
    sources,
    code.live?.node.site,
    (app) => `${app}.set('view engine', '${engine}');`,
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
function queryMembers(path: NodePath, code: HandlerCode): Array<string | undefined> | undefined {
  if (!path.isMemberExpression()) return undefined;
  const object = path.get('object');
  const name = memberName(path.node);
  if (code.isRequest(object)) return name === 'query' ? [name] : undefined;
  const outer = queryMembers(object, code);
  return outer && [...outer, name];
}

function queryWrite(path: NodePath<t.AssignmentExpression>, place: Place): Mistake | undefined {
  const written = queryMembers(path.get('left') as NodePath, place.code);
  if (!written || !place.isExpress5 || place.definesQuery) return undefined;
  return {
    code: CODES.query.code,
    message: `writes to ${['req', ...written.filter(Boolean)].join('.')}, which Express 5 computes at each read`,
    node: path.node,
  };
}

function nestedQuery(path: NodePath<t.MemberExpression>, place: Place): Mistake | undefined {
  const { application, code, sources } = place;
  const [, outer, inner, ...more] = queryMembers(path, code) ?? [];
  const parser = application?.settings['query parser'];
  if (!outer || !inner || more.length > 0 || parser !== 'simple' || !place.isExpress5) return undefined;
  // Members of strings and lists, such as `length`, and numbers may exist.
  if (inner in Array.prototype || inner in String.prototype || /^\d+$/.test(inner) || place.definesQuery)
    return undefined;
  return {
    code: CODES.query.code,
    message: `reads req.query.${outer}.${inner}, but Express 5 does not parse nested values`,
    node: path.node,
    change:
      code.live?.node.parent?.application === application
        ? insertAfterCreation(
            sources,
            code.live?.node.site,
            (app) => `${app}.set('query parser', 'extended');`,
          )
        : undefined,
  };
}

/** Finds validators of express-validator that change the query, if a handler of the same route reads it afterwards. */
export function findLostQueries(live: LiveApplication): Finding[] {
  const handlers = handlersIn(live);
  if (handlers.some(({ live: one }) => /defineProperty\([^)]*\bquery\b/.test(String(one?.handle)))) return [];
  return live.roots
    .flatMap((root) => [...walkTree(root)])
    .flatMap((node): Finding[] => {
      const functions = node.kind === 'route' && node.series === '5.x' ? functionsOf(node) : [];
      const index = functions.findIndex(({ handle }) => changesQuery(handle));
      const writer = functions[index];
      const reader = functions.slice(index + 1).find((one) => {
        const code = codeOf(one, node, live);
        return code && readsOf(code, 'query').length > 0;
      });
      if (!writer || !reader) return [];
      return [
        {
          code: CODES.query.code,
          severity: 'warning',
          message: `express-validator changes req.query before ${reader.name} reads it, but Express 5 computes req.query at each read: the values stay as they were sent`,
          site: writer.site,
        },
      ];
    });
}

/** Whether a function is a chain of express-validator, such as `query('limit').toInt()`, that writes to `req.query`. */
function changesQuery(handle: unknown): boolean {
  const { builder } = Object(handle) as { builder?: { locations?: unknown; stack?: unknown } };
  const { locations, stack } = builder ?? {};
  if (!Array.isArray(locations) || !Array.isArray(stack)) return false;
  const changes = stack.some((item) => /^Sanitization$/.test(Object(item).constructor?.name));
  return changes && locations.includes('query');
}
