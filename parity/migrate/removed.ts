/** Members that Express 3 or 4 has and Express 5 does not have, with what to write instead. */
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import { type Context, located, textAt } from './context';
import type { Kinds } from './kinds';
import { type Kind, keyText, memberName, nameOfImport } from './syntax';

type Removed = Readonly<Record<string, string>>;

const EXPRESS: Removed = {
  query: 'Express 5 has no express.query(): use the setting "query parser"',
};

/** Members that only Express 3 has. A program with one of them is a program of Express 3. */
const EXPRESS_3: Readonly<Partial<Record<Kind, Removed>>> = {
  express: {
    basicAuth: 'use the package basic-auth',
    bodyParser: 'use express.json() and express.urlencoded()',
    compress: 'use the package compression',
    cookieParser: 'use the package cookie-parser',
    cookieSession: 'use the package cookie-session',
    createServer: 'use express()',
    csrf: 'use a package of your choice',
    directory: 'use the package serve-index',
    errorHandler: 'use the package errorhandler',
    favicon: 'use the package serve-favicon',
    limit: 'use the option limit of the parsers',
    logger: 'use the package morgan',
    methodOverride: 'use the package method-override',
    mime: 'use the package mime-types',
    multipart: 'use a package such as multer',
    responseTime: 'use the package response-time',
    session: 'use the package express-session',
    staticCache: 'use a cache in front of the application',
    timeout: 'use the package connect-timeout',
    utils: 'use packages of your choice',
    vhost: 'use the package vhost',
  },
  app: {
    configure: "call the function if process.env.NODE_ENV or app.get('env') is that of the block",
    routes: 'use app.router.stack',
  },
  req: {
    accepted: 'use req.accepts()',
    acceptedCharsets: 'use req.acceptsCharsets()',
    acceptedLanguages: 'use req.acceptsLanguages()',
    auth: 'use the package basic-auth',
  },
  res: { charset: 'set the charset in Content-Type' },
};

const REMOVED_OF_APP: Removed = {
  _router: 'Express 5 has app.router instead of app._router, and its layers have no regexp and no keys',
  lazyrouter: 'Express 5 has no app.lazyrouter(): app.router creates the router when it is first read',
};

/** Whether a member is one of Express 3, which shows that the whole program is. */
export function isOfExpress3(path: NodePath<t.MemberExpression>, kinds: Kinds): boolean {
  const removed = EXPRESS_3[kinds.of(path.get('object')) ?? 'Router'];
  return removed !== undefined && Object.hasOwn(removed, memberName(path.node) ?? '');
}

export function migrateMember(path: NodePath<t.MemberExpression>, context: Context): void {
  const name = memberName(path.node) ?? '';
  const kind = context.kinds.of(path.get('object'));
  if (kind === undefined) return;
  const whole = `${kind}.${name}`;
  if (isOfExpress3(path, context.kinds))
    context.refuse(path, `Express 5 has no ${whole}: ${EXPRESS_3[kind]?.[name]}`);
  if (kind === 'express' && Object.hasOwn(EXPRESS, name)) context.refuse(path, EXPRESS[name] ?? '');
  if (kind === 'app' && Object.hasOwn(REMOVED_OF_APP, name)) context.refuse(path, REMOVED_OF_APP[name] ?? '');
  if (whole === 'app.router' && isArgumentOf(path, 'use'))
    context.refuse(path, 'remove app.use(app.router): routes run in the order in which they are added');
  if (whole === 'app.route' && !isCalled(path))
    context.refuse(path, 'the path of a mounted application is app.mountpath; app.route() makes a route');
  if (whole === 'res.headerSent') {
    const { property, computed } = path.node;
    const { start, end } = located(property);
    context.edits.replace(start, end, computed ? "'headersSent'" : 'headersSent');
    context.change(path.node, 'res.headerSent → res.headersSent');
  }
  if (whole === 'static.mime')
    context.refuse(path, 'Express 5 has no express.static.mime: use the package mime-types');
}

/** Whether a member is the callee of a call. */
function isCalled({ parent, key }: NodePath): boolean {
  return parent.type === 'CallExpression' && key === 'callee';
}

function isArgumentOf({ parent, listKey }: NodePath, method: string): boolean {
  if (listKey !== 'arguments' || parent.type !== 'CallExpression') return false;
  return parent.callee.type === 'MemberExpression' && memberName(parent.callee) === method;
}

/** Reports removed members that an import or a pattern takes from Express, as in `const { bodyParser } = express`. */
export function refuseTaken(path: NodePath<t.ImportSpecifier | t.ObjectProperty>, context: Context): void {
  const name = takenName(path, context.kinds) ?? '';
  const instead = EXPRESS_3.express?.[name];
  if (instead !== undefined && Object.hasOwn(EXPRESS_3.express ?? {}, name))
    context.refuse(path, `Express 5 has no express.${name}: ${instead}`);
  else if (Object.hasOwn(EXPRESS, name)) context.refuse(path, EXPRESS[name] ?? '');
}

/** The name of the member of Express that an import or a pattern takes; undefined for others. */
function takenName(path: NodePath<t.ImportSpecifier | t.ObjectProperty>, kinds: Kinds): string | undefined {
  if (path.isImportSpecifier()) {
    const source = path.parent.type === 'ImportDeclaration' ? path.parent.source.value : '';
    return kinds.isExpress(source) ? nameOfImport(path.node) : undefined;
  }
  const declared = path.parentPath?.parentPath;
  if (!path.parentPath?.isObjectPattern() || !declared?.isVariableDeclarator()) return undefined;
  const { node } = path as NodePath<t.ObjectProperty>;
  return kinds.of(declared.get('init')) === 'express' ? keyText(node.key) : undefined;
}

/** Whether an import or a pattern takes a member that only Express 3 has. */
export function takesOfExpress3(path: NodePath<t.ImportSpecifier | t.ObjectProperty>, kinds: Kinds): boolean {
  return Object.hasOwn(EXPRESS_3.express ?? {}, takenName(path, kinds) ?? '');
}

/** Reports calls that meant something else in Express 3. */
export function migrateCallOf3(path: NodePath<t.CallExpression>, context: Context): void {
  const callee = path.get('callee');
  if (!callee.isMemberExpression()) return;
  const kind = context.kinds.of(callee.get('object'));
  const name = memberName(callee.node) ?? '';
  const [first] = path.node.arguments;
  if ((kind === 'app' || kind === 'res') && name === 'locals')
    context.refuse(path, `${kind}.locals is an object since Express 4: Object.assign(${kind}.locals, …)`);
  if (kind !== 'res' || first?.type !== 'StringLiteral') return;
  if (name === 'on' && first.value === 'header')
    context.refuse(path, 'a response has no event "header" since Express 4: use the package on-headers');
  if (!context.facts.isExpress3) return;
  if (/^(?:set|header|setHeader)$/.test(name) && /^set-cookie$/i.test(first.value))
    context.refuse(path, 'Express 3 adds a header Set-Cookie to those before: use res.cookie()');
  if (/^(?:location|redirect)$/.test(name) && path.node.arguments.some(isRelative))
    context.refuse(path, 'Express 3 resolves a relative URL, Express 5 sends it as it is');
}

function isRelative(node: t.Node): boolean {
  return node.type === 'StringLiteral' && node.value !== 'back' && !/^(?:\/|[a-z]+:)/i.test(node.value);
}

/** Reports `req.params.length` and the like, if the program is one of Express 3. */
export function refuseList(path: NodePath<t.MemberExpression>, context: Context): void {
  if (!context.facts.isExpress3) return;
  const object = path.get('object');
  if (!object.isMemberExpression() || memberName(object.node) !== 'params') return;
  if (context.kinds.of(object.get('object')) !== 'req') return;
  if (/^(?:length|forEach|map|join|slice)$/.test(memberName(path.node) ?? ''))
    context.refuse(path, 'req.params is an object since Express 4, not an array');
}

/** Reports the name of a removed member in a table, such as `['get', 'del']`, if members have computed names. */
export function refuseName(path: NodePath<t.StringLiteral>, context: Context): void {
  const { value } = path.node;
  const { parent } = path;
  if (!context.facts.computesMembers) return;
  if (parent.type !== 'ArrayExpression' && !(parent.type === 'ObjectProperty' && path.key === 'value'))
    return;
  const instead = NAMES[value];
  if (instead !== undefined)
    context.refuse(path, `if this is the name of a member, Express 5 has none: ${instead}`);
}

/** The names that no other method or member in a table is likely to have. */
const NAMES: Removed = {
  del: "write 'delete'",
  sendfile: "write 'sendFile'",
  acceptsCharset: "write 'acceptsCharsets'",
  acceptsEncoding: "write 'acceptsEncodings'",
  acceptsLanguage: "write 'acceptsLanguages'",
  headerSent: "write 'headersSent'",
  ...EXPRESS_3.app,
};

/** Reports a call of a method of the response whose name is computed, if its arguments may be those of Express 4. */
export function refuseComputedCall(path: NodePath<t.CallExpression>, context: Context): void {
  const callee = path.get('callee');
  if (!callee.isMemberExpression() || memberName(callee.node) !== undefined) return;
  if (context.kinds.of(callee.get('object')) !== 'res') return;
  const [only, second] = path.node.arguments;
  if (second || only?.type === 'NumericLiteral')
    context.refuse(
      path,
      `${textAt(context, callee.node)}() may need other arguments in Express 5, such as res.status(status).json(body)`,
    );
}

/** Reports `express:router` and the like in the names for the package debug. */
export function refuseDebugName(path: NodePath<t.StringLiteral>, context: Context): void {
  if (/(?:^|[\s,])-?express:(?:router|\*)/.test(path.node.value))
    context.refuse(
      path,
      'the router of Express 5 has the name "router" for the variable DEBUG, not "express:router"',
    );
}
