/** A seeded type fault: a public member, setting or option gets another name or type in the code, or is left out. */
export interface TypeFault {
  /** A sentence that names the member and the change. */
  readonly name: string;
  /** The path below `src/`. */
  readonly file: string;
  /** The code to replace. It must occur in the file exactly once. */
  readonly search: string;
  readonly replace: string;
}

const APPLICATION = 'application/application.ts';
const ROUTER = 'routing/router.ts';
const HEADERS = 'response/headers.ts';

export const TYPE_FAULTS: readonly TypeFault[] = [
  renamed('app.init', APPLICATION, '  init() {'),
  renamed('app.defaultConfiguration', APPLICATION, '  defaultConfiguration() {'),
  renamed('app.handle', APPLICATION, '  handle,\n\n', '  handleX: handle,\n\n'),
  renamed('app.use', APPLICATION, '  use(first'),
  renamed('app.engine', APPLICATION, '  engine(ext'),
  renamed('app.set', APPLICATION, '  set(...args'),
  renamed('app.enabled', APPLICATION, '  enabled(name'),
  renamed('app.disable', APPLICATION, '  disable(name'),
  renamed('app.listen', APPLICATION, '  listen(...args'),
  {
    name: 'app.path() may return undefined',
    file: APPLICATION,
    search: "this.parent.path() + this.mountpath : '';",
    replace: 'this.parent.path() + this.mountpath : undefined;',
  },
  {
    name: 'app.render is an alias of another name',
    file: APPLICATION,
    search: '  render,\n',
    replace: '  rendered: render,\n',
  },
  renamed('setting strict paths', 'application/settings.ts', "  'strict paths': {", "  'strict path': {"),
  {
    name: 'the setting subdomain offset is a text',
    file: 'application/settings.ts',
    search: 'default: () => 2,',
    replace: "default: () => '2',",
  },
  {
    name: 'the setting etag is compiled as strict paths',
    file: 'application/settings.ts',
    search: 'compile: compileETag,',
    replace: 'compile: compileStrictPaths,',
  },
  {
    name: 'req.secure is a number',
    file: 'request/origin.ts',
    search: "  get secure(): boolean {\n    return this.protocol === 'https';",
    replace: "  get secure(): number {\n    return Number(this.protocol === 'https');",
  },
  renamed('req.ips', 'request/origin.ts', '  get ips(): string[] {', '  get addresses(): string[] {'),
  renamed('req.accepts', 'request/negotiate.ts', '  accepts,\n', '  accept: accepts,\n'),
  renamed('req.is', 'request/negotiate.ts', '  is(...types'),
  {
    name: 'req.stale is a number',
    file: 'request/request.ts',
    search: '  get stale(): boolean {\n    return !this.fresh;',
    replace: '  get stale(): number {\n    return Number(!this.fresh);',
  },
  renamed('req.xhr', 'request/request.ts', '  get xhr(): boolean {', '  get ajax(): boolean {'),
  renamed('req.range', 'request/request.ts', '  range(size'),
  {
    name: 'the getters of negotiation are left out of the request prototype',
    file: 'request/request.ts',
    search: '  ...Object.getOwnPropertyDescriptors(negotiate),\n',
    replace: '',
  },
  renamed('res.sendStatus', 'response/send.ts', '    sendStatus(code'),
  renamed('res.status', 'response/send.ts', '  status(code'),
  renamed('res.json', 'response/json.ts', '    json(first'),
  renamed('res.jsonp', 'response/json.ts', '    jsonp(first'),
  renamed('res.cookie', 'response/cookie.ts', '  cookie(name'),
  renamed('res.sendFile', 'response/file.ts', '    sendFile(path, '),
  renamed('res.download', 'response/file.ts', '    download(path, '),
  renamed('res.redirect', 'response/redirect.ts', '    redirect(first, ...rest) {'),
  {
    name: 'res.location() returns nothing',
    file: 'response/redirect.ts',
    search: "return this.set('Location',",
    replace: "this.set('Location',",
  },
  renamed('res.render', 'response/render.ts', '  render(view'),
  renamed('res.contentType', HEADERS, '  contentType: setters.type,', '  contentTypes: setters.type,'),
  {
    name: 'res.vary() returns nothing',
    file: HEADERS,
    search: '    vary(this, field);\n    return this;',
    replace: '    vary(this, field);',
  },
  {
    name: 'the headers are left out of the response prototype',
    file: 'response/response.ts',
    search: '  ...headers,\n',
    replace: '',
  },
  renamed('router.use', ROUTER, '  use(first'),
  renamed('router.param', ROUTER, '  param(name, fn) {'),
  renamed('router.listRoutes', ROUTER, '  listRoutes() {'),
  {
    name: 'router.listRoutes() gives the methods as one text',
    file: ROUTER,
    search: 'const methods = route?._methods(true);',
    replace: 'const methods = route?._methods(true).join();',
  },
  renamed('route.dispatch', 'routing/route.ts', '  dispatch(req'),
  renamed('framework.Router', 'framework.ts', '  Router,\n', '  Routers: Router,\n'),
  renamed('framework.static', 'framework.ts', '  static: serveStatic,', '  statics: serveStatic,'),
  {
    name: 'framework() returns a promise',
    file: 'framework.ts',
    search: `const createApplication: () => Express = compileFactory<Application>({
  members: application,
  request,
  response,
  parts,
});`,
    replace: `const create: () => Express = compileFactory<Application>({ members: application, request, response, parts });
const createApplication = async (): Promise<Express> => create();`,
  },
  {
    name: 'framework.json and framework.static are exchanged',
    file: 'framework.ts',
    search: '  json,\n  raw,\n  static: serveStatic,',
    replace: '  json: serveStatic,\n  raw,\n  static: json,',
  },
  renamed(
    'the option fallthrough of static',
    'files/serve-static.ts',
    'given.fallthrough',
    'given.fallThrough',
  ),
  renamed('the option strict of json', 'body/parsers.ts', 'options?.strict ', 'options?.isStrict '),
  renamed('the option depth of urlencoded', 'body/form.ts', 'options?.depth ===', 'options?.deep ==='),
  renamed('res.sendfile of Express 3', 'express3/file.ts', '  sendfile(path'),
  renamed('req.accepts of Express 3', 'express3/request.ts', '  accepts(...types'),
  renamed(
    'res.sendStatus of Express 4',
    'express4/send.ts',
    '  sendStatus: senders',
    '  sendStatusX: senders',
  ),
  renamed('req.param of Express 4', 'express4/request.ts', '  param(...['),
  renamed(
    'logger.token',
    'logger/logger.ts',
    '{ compile, format, token };',
    '{ compile, format, tokens: token };',
  ),
  {
    name: 'logger.format() returns the name',
    file: 'logger/logger.ts',
    search: 'fmt: string | Callback): Logger {\n  table[name] = fmt;\n  return this;',
    replace: 'fmt: string | Callback): string {\n  table[name] = fmt;\n  return name;',
  },
];

/**
 * Creates a fault that renames a member.
 *
 * @param replace The new code; default `search` with an `X` before the first `(`.
 */
function renamed(
  member: string,
  file: string,
  search: string,
  replace: string = search.replace('(', 'X('),
): TypeFault {
  return { name: `${member} has another name`, file, search, replace };
}
