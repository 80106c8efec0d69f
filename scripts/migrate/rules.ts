/**
 * The rules of Express' guides "Moving to Express 4" and "Moving to Express 5", and of the release notes that they refer
 * to, each as a piece of a program. `$app`, `$express`, `$req` and `$res` stand for the expressions with which a program
 * reaches these objects, and `$show` for a handler.
 */

/** Statements where the application is set up, and in the handler of a request. */
export interface Piece {
  readonly setup?: string;
  readonly handler?: string;
}

export interface Rule extends Piece {
  /** The number of the Express that made the change. */
  readonly of: 4 | 5;
  readonly name: string;
  /**
   * What must become of the piece: another piece, the same piece (`'same'`, if the changed behaviour is that of every
   * program), code that the program must then contain (`adds`), or a comment that names the place (`named`).
   */
  readonly to: 'same' | (Piece & { readonly adds?: RegExp; readonly named?: RegExp });
  /** Whether the program must not set `query parser`, as others do so that the rule for queries does not change them. */
  readonly isBare?: boolean;
}

const path = (name: string, before: string, after: string): Rule => ({
  of: 5,
  name: `paths: ${name}`,
  setup: `$app.get(${before}, $show);`,
  to: { setup: `$app.get(${after}, $show);` },
});

const call = (of: 4 | 5, name: string, before: string, after: string): Rule => ({
  of,
  name,
  handler: before,
  to: { handler: after },
});

const removed = (of: 4 | 5, name: string, piece: Piece, named: RegExp): Rule => ({
  of,
  name,
  ...piece,
  to: { named },
});

/** The middleware that Express 3 had as members of `express`. */
const BUNDLED =
  'basicAuth bodyParser compress cookieParser cookieSession csrf directory errorHandler favicon limit logger methodOverride multipart responseTime session staticCache timeout vhost'.split(
    ' ',
  );

export const RULES: readonly Rule[] = [
  ...BUNDLED.map((name) =>
    removed(
      4,
      `express.${name}`,
      { setup: `$app.use($express.${name}());` },
      new RegExp(`no express\\.${name}`),
    ),
  ),
  removed(4, 'express.createServer', { setup: '$express.createServer();' }, /no express\.createServer/),
  removed(4, 'express.mime', { setup: "$express.mime.define({ 'a/b': ['c'] });" }, /no express\.mime/),
  removed(4, 'express.utils', { setup: '$express.utils.md5(1);' }, /no express\.utils/),
  removed(4, 'app.configure', { setup: '$app.configure(() => {});' }, /no app\.configure/),
  removed(4, 'app.use(app.router)', { setup: '$app.use($app.router);' }, /app\.router/),
  removed(4, 'app.routes', { setup: 'console.log($app.routes.get);' }, /no app\.routes/),
  removed(4, 'app.route as the path of a mount', { setup: 'console.log($app.route);' }, /app\.mountpath/),
  removed(4, 'app.locals as a function', { setup: '$app.locals({ a: 1 });' }, /app\.locals/),
  removed(4, 'req.auth', { handler: '$res.end($req.auth);' }, /no req\.auth/),
  removed(4, 'req.accepted', { handler: '$res.end($req.accepted[0]);' }, /no req\.accepted/),
  removed(
    4,
    'req.acceptedLanguages',
    { handler: '$res.end($req.acceptedLanguages[0]);' },
    /no req\.accepted/,
  ),
  removed(4, 'req.acceptedCharsets', { handler: '$res.end($req.acceptedCharsets[0]);' }, /no req\.accepted/),
  call(4, 'res.headerSent', 'if ($res.headerSent) return;', 'if ($res.headersSent) return;'),
  removed(4, 'res.charset', { handler: "$res.charset = 'utf-8';" }, /no res\.charset/),
  removed(4, 'res.locals as a function', { handler: '$res.locals({ a: 1 });' }, /res\.locals/),
  removed(4, "res.on('header')", { handler: "$res.on('header', () => {});" }, /no event "header"/),
  ...(
    [
      ['req.params as an array', '$res.json($req.params.length);', /req\.params is an object/],
      ["setHeader('Set-Cookie')", "$res.setHeader('Set-Cookie', 'a=1');", /res\.cookie\(\)/],
      ['relative targets of res.location', "$res.location('../a').end();", /relative/],
    ] as const
  ).map(([name, handler, named]) => removed(4, name, { setup: '$app.configure(() => {});', handler }, named)),

  { of: 5, name: 'app.del', setup: "$app.del('/a', $show);", to: { setup: "$app.delete('/a', $show);" } },
  removed(5, 'app.param(fn)', { setup: '$app.param((name, fn) => fn);' }, /no param\(fn\)/),
  {
    of: 5,
    name: 'app.param with a colon',
    setup: "$app.param(':id', (req, res, next) => next());",
    to: { setup: "$app.param('id', (req, res, next) => next());" },
  },
  ...['Charset', 'Encoding', 'Language'].map((name) =>
    call(
      5,
      `req.accepts${name}`,
      `$res.json($req.accepts${name}('a'));`,
      `$res.json($req.accepts${name}s('a'));`,
    ),
  ),
  call(
    5,
    'req.param(name)',
    "$res.json($req.param('id'));",
    '$res.json($req.params.id ?? $req.body?.id ?? $req.query.id);',
  ),
  call(5, 'res.json(body, status)', '$res.json({ a: 1 }, 201);', '$res.status(201).json({ a: 1 });'),
  call(5, 'res.jsonp(status, body)', '$res.jsonp(201, { a: 1 });', '$res.status(201).jsonp({ a: 1 });'),
  call(5, 'res.send(body, status)', "$res.send('a', 404);", "$res.status(404).send('a');"),
  call(5, 'res.send(status)', '$res.send(404);', '$res.sendStatus(404);'),
  call(5, 'res.redirect(url, status)', "$res.redirect('/a', 301);", "$res.redirect(301, '/a');"),
  {
    of: 5,
    name: "res.redirect('back')",
    handler: "if ($req.xhr) return; $res.redirect('back');",
    to: { adds: /redirect'?\]?\(\S*\.get\('Referrer'\) \|\| '\/'\)/ },
  },
  {
    of: 5,
    name: "res.location('back')",
    handler: "$res.location('back').end($req.url);",
    to: { adds: /location'?\]?\(\S*\.get\('Referrer'\) \|\| '\/'\)/ },
  },
  call(5, 'res.sendfile', "$res.sendfile('/a.html');", "$res.sendFile('/a.html');"),
  removed(
    5,
    'express.static.mime',
    { setup: "$express.static.mime.define({ 'a/b': ['c'] });" },
    /static\.mime/,
  ),
  removed(5, 'express.query', { setup: '$app.use($express.query());' }, /no express\.query/),
  removed(5, 'app._router', { setup: 'console.log($app._router.stack);' }, /app\.router/),
  removed(
    5,
    'names for the variable DEBUG',
    { setup: "process.env.DEBUG = 'express:router'; $app.set('a', 1);" },
    /DEBUG/,
  ),
  path('optional parameter', "'/a/:id?'", "'/a{/:id}'"),
  path('wildcard', "'/a/*'", "'/a/{*splat}'"),
  path('wildcard alone', "'*'", "'/{*splat}'"),
  path('optional character', "'/ab?c'", "'/a{b}c'"),
  path('pattern of a parameter', "'/:id(\\\\d+)'", '/^(?:\\/(?<id>\\d+))\\/?$/i'),
  path('alternatives', "'/(a|b)'", '/^\\/(?:a|b)\\/?$/i'),
  path('list', "['/a', '/b/:c?']", "['/a', '/b{/:c}']"),
  {
    of: 5,
    name: 'paths: mount',
    setup: "$app.use('/a/:id?', $show);",
    to: { setup: "$app.use('/a{/:id}', $show);" },
  },
  {
    of: 5,
    name: 'paths: route()',
    setup: "$app.route('/a/:id?').get($show);",
    to: { setup: "$app.route('/a{/:id}').get($show);" },
  },
  removed(5, 'paths: from a variable', { setup: '$app.get(process.env.A, $show);' }, /from elsewhere/),
  removed(
    5,
    'paths: computed',
    { setup: "$app.get(process.env.A + '/(a|b)', $show);" },
    /computed path|if a route uses/,
  ),
  removed(5, 'paths: app.ws', { setup: "$app.ws('/a/:id?', $show);" }, /if (?:ws\(\)|a route uses)/),
  removed(
    5,
    'paths: req.route.path',
    {
      setup: "$app.get('/a/:id?', $show);",
      handler: "$res.json({ '/a/:id?': 1 }[$req.route.path]);",
    },
    /req\.route\.path/,
  ),
  {
    of: 5,
    name: 'wildcards as lists',
    setup: "$app.get('/a/*', $show);",
    handler: '$res.json($req.params[0]);',
    to: { setup: '$app.get(/^\\/a\\/(.*)\\/?$/i, $show);', handler: '$res.json($req.params[0]);' },
  },
  { of: 5, name: 'rejected promises', handler: '$res.json(1); return Promise.resolve();', to: 'same' },
  {
    of: 5,
    name: 'urlencoded: extended',
    setup: '$app.use($express.urlencoded());',
    to: { setup: '$app.use($express.urlencoded({ extended: true }));' },
  },
  removed(
    5,
    'static: dotfiles',
    { setup: "$app.use($express.static(__dirname + '/public'));" },
    /does not serve the files in \.well-known/,
  ),
  {
    of: 5,
    name: 'static: hidden',
    setup: "$app.use($express.static('a', { hidden: true }));",
    to: { setup: "$app.use($express.static('a', { dotfiles: 'allow' }));" },
  },
  {
    of: 5,
    name: 'app.listen: errors for the callback',
    setup: '$app.listen(3000, () => { console.log(1); });',
    to: { setup: '$app.listen(3000, (error) => { if (error) throw error; console.log(1); });' },
  },
  {
    of: 5,
    name: 'req.body without a body',
    setup: '$app.use($express.json());',
    handler: '$res.json($req.body.a);',
    to: {
      setup: '$app.use($express.json(), (req, _res, next) => { req.body ??= {}; next(); });',
      handler: '$res.json($req.body.a);',
    },
  },
  call(5, 'req.host', '$res.end($req.host);', '$res.end($req.hostname);'),
  removed(
    5,
    'req.params without a prototype',
    { handler: "$res.json($req.params.hasOwnProperty('a'));" },
    /no prototype/,
  ),
  removed(
    5,
    'req.params without missing names',
    { handler: "$res.json('a' in $req.params);" },
    /no property/,
  ),
  {
    of: 5,
    name: 'req.query: nested',
    handler: '$res.json($req.query.a);',
    isBare: true,
    to: { adds: /\(\)\.set\('query parser', 'extended'\)|\)\(\)\.set\(/ },
  },
  {
    of: 5,
    name: 'req.query: assigned',
    handler: '$req.query.page = 1; $res.json($req.query);',
    to: { adds: /\.use\(\(req, _res, next\) => \{ Object\.defineProperty\(req, 'query'/ },
  },
  removed(
    5,
    'res.clearCookie: maxAge and expires',
    { handler: "$res.clearCookie('a', { maxAge: 1 });" },
    /clearCookie/,
  ),
  call(5, 'res.status: text', "$res.status('404').end();", '$res.status(404).end();'),
  removed(5, 'res.status: no number', { handler: "$res.status('none').end();" }, /TypeError for the status/),
  removed(5, 'res.status: out of range', { handler: '$res.status(1000).end();' }, /for the status 1000/),
  removed(5, 'res.vary()', { handler: '$res.vary();' }, /res\.vary\(\) without/),
  { of: 5, name: 'res.render: asynchronous', handler: "$res.render('a');", to: 'same' },
];
