/** The differences that random applications show, as `npm run check -- fuzz` finds them. */
import type { ProgramDivergence } from './divergence';

const EVERY = [3, 4, 5] as const;

export const PROGRAM_DIVERGENCES: readonly ProgramDivergence[] = [
  {
    id: 'own-app',
    series: EVERY,
    hides: /,app\b(?<=keys=[^ ]*)/g,
  },
  {
    id: 'own-app-changed',
    series: EVERY,
    why:
      'For the same reason, a mounted application that changes its prototypes while it handles a request may not see the ' +
      'change in that request.',
    matches: /"mount":.*"(?:remove|assign)":"app\d?\.(?:response\.(?:app|statusMessage)|request\.app)"/s,
  },
  {
    id: 'continue-in-turn',
    series: EVERY,
    hides: /HTTP\/1\.1 1\d\d [^\r]*\r\n(?:[^\r]+\r\n)*\r\n/g,
  },
  {
    id: 'etag-encoding',
    series: [4, 5],
    hides: /(?<=^given\(buffer ".*", )(?:undefined|"utf8")(?=\)$)/gs,
  },
  {
    id: 'back',
    matches: /"call":"res\.(?:location|redirect)","args":\[(?:[^\]]*,)?"back"\]/,
  },
  {
    id: 'accepts-list',
    matches: /"call":"req\.accepts","args":\[[^\]]*"[^"]*,[^"]*"/,
    hides: /^req\.accepts\(\) → .*/gs,
  },
  {
    id: 'layer-members',
    hides: /(?<="method": "[\w-]+"), "keys": \[\], "params": \{\}, "path": ""/g,
  },
  {
    id: 'response-socket',
    series: EVERY,
    why: 'If an application replaces `socket` of all responses, Node.js cannot respond. This build also logs the error.',
    matches: /"(?:accessor|assign)":"http\.(?:OutgoingMessage|ServerResponse)\.prototype\.socket"/,
    hides: /^console <own words>$/gs,
  },
  {
    id: 'response-req',
    series: EVERY,
    why: 'If `req` of all responses is read-only, Node.js can create none; this build fails when it listens.',
    matches:
      /"accessor":"http\.(?:OutgoingMessage|ServerResponse)\.prototype\.req"(?:(?!"settable":).)*"settable":false/s,
  },
  {
    id: 'file-after-response',
    series: EVERY,
    why:
      'When a file is sent after the response has ended, the error depends on what happens first: the end of the ' +
      'response, or `fs.stat` in another thread. This is so in Express, too.',
    hides:
      /(?<=^given\(Error: )(?:Request aborted code="ECONNABORTED"|Can't set headers after they are sent\..*)(?=\)$)/gs,
  },
  {
    id: 'missing-file-after-response',
    series: EVERY,
    why: 'For the same reason, the error for a missing file is that, or that the response has ended.',
    matches:
      /"call":"res\.(?:sendFile|sendfile|download)".*"call":"res\.(?:send|sendStatus|json|jsonp|end|redirect)"/s,
    hides: /(?<=^given\(Error: )ENOENT: .*(?=\)$)/gs,
  },
  {
    id: 'file-beside-response',
    series: EVERY,
    why:
      'If a handler sends a file and calls `next`, at once or later, the headers of the file are in the 404 page, or ' +
      'not: the page and `fs.stat` in another thread race. This is so in Express, too.',
    matches:
      /"call":"res\.(?:sendFile|sendfile|download)","args":(?:(?!"(?:call|read|use|route|send)":).)*\},(?:\{"later":"\w+","steps":\[)*\{"next":\[/s,
  },
  {
    id: 'aborted-file',
    series: EVERY,
    why:
      'If the client closes the connection at once, a file is on its way or not when the logger writes its line: this build ' +
      'opens files in fewer turns of the event loop than Express.',
    matches: /"(?:files|example)":.*"aborts":true/s,
    hides: /^log .*/gs,
  },
  {
    id: 'reads-request',
    series: EVERY,
    why: 'The framework reads `req.httpVersionMajor`, `req.res` and members of `req.app`; a proxy records this.',
    hides: /^proxy (?:httpVersionMajor|res|request|Symbol\(nozomi\.\w+\))$/,
  },
  {
    id: 'proxies',
    series: [3, 4],
    why: 'This build reads other members of an argument than Express 3 and 4; a proxy records this.',
    hides: /^proxy \S+$/,
  },
  {
    id: 'reads-settings',
    series: EVERY,
    why: 'This build also reads its own settings, such as `strict host`; a proxy as `app.settings` records this.',
    matches: /"(?:accessor|assign)":"(?:[^"]*\.)?app\d?\.settings","value":\{"\$":"proxy"/,
    hides: /^proxy .+$/,
  },
  {
    id: 'locals-before-settings',
    series: EVERY,
    why:
      '`app.locals` exists while an application sets its default settings; Express creates it after most of them. Only an ' +
      'overridden `application.set` can read it then.',
    matches: /"override":"framework\.application\.set"/,
    hides: /^(?:this|app\d?)\.locals(?:\.\S+)? = .*/gs,
  },
  {
    id: 'reads-arguments',
    why:
      'Express and this build read other members of `req.params`, `req.headers`, `req.method` and an argument of ' +
      '`res.type`; a proxy records this.',
    matches:
      /"(?:accessor|assign)":"[^"]*\.(?:params|headers|method)","value":\{"\$":"proxy"|"call":"res\.(?:type|contentType)","args":\[\{"\$":"proxy"/,
    hides: /^proxy \S+$/,
  },
  {
    id: 'pathless-routes',
    matches: /"override":"app\d?\.get"(?:(?!"pass":).)*"pass":\[\{"\$":"function"/s,
  },
  {
    id: 'throwing-unpipe',
    series: EVERY,
    why: 'If `req.unpipe` of an application throws or is no function, the final handler responds all the same; in Express it fails.',
    matches:
      /"override":"[^"]*\.unpipe","before":(?!\[\],"pass":"same","after":\[\])|"(?:accessor|assign)":"[^"]*\.unpipe"/,
  },
  {
    id: 'throwing-resume',
    series: [4],
    why:
      'If `req.resume` of an application throws in the final handler, Express 4 catches the error in the layer of its ' +
      'middleware `expressInit`, and calls the final handler once more. This build has no such layer.',
    matches:
      /"override":"(?:req|[^"]*\.(?:req|request)|http\.IncomingMessage\.prototype)\.resume","before":\[.*?"raise"/,
  },
  {
    id: 'throwing-logger',
    series: EVERY,
    why:
      'If a format or `skip` of morgan throws, on-finished calls no other listener of the response. Here other loggers ' +
      'still write their lines, and a file that is sent is closed.',
    matches: /"(?:log|skip)":\{"\$":"function","v":\{"\$":"error"/,
  },
  {
    id: 'handle-without-request',
    series: EVERY,
    why:
      'If an application calls `app.handle` with values that are no request, the uncaught errors differ. Express 5 calls it so ' +
      'if `app.set` loses its arguments: it then returns the application in place of a query parser.',
    matches:
      /"(?:call|override)":"app\d?\.handle",(?:(?!"pass":).)*"(?:pass|args)":\[|"override":"app\d?\.set",(?:(?!"pass":).)*"pass":\[\]/s,
  },
  {
    id: 'name-length',
    series: EVERY,
    why: '`X-Powered-By: Nozomi` is one byte shorter than `X-Powered-By: Express`.',
    hides: /(?<=^res\.writableLength = )\d+$/,
  },
  {
    id: 'errors-while-responding',
    series: EVERY,
    fails: /^(?:uncaught|unhandled) /,
  },
  {
    id: 'prototypes-first',
    series: [3, 4],
    why:
      'Express 4 and 3 set the prototypes of an application in a middleware, after they have assigned some properties. ' +
      'This build creates requests with the prototypes, so a member of a prototype that has the name of such a ' +
      'property, and code that runs before that middleware, see the prototypes earlier.',
    matches:
      /"(?:accessor|assign)":"(?:(?:app\d?|framework)\.request|http\.IncomingMessage\.prototype)\.(?:originalUrl|baseUrl|next|params|url|route|query|res|_\w+)"|"build":\[\].*"event":"request"|"stack":"(?:reverse|drop)"/s,
  },
  {
    id: 'prototypes-without-routes',
    series: [3, 4],
    why:
      'For the same reason, a `request` listener sees the prototypes if the application has no routes, and an error ' +
      'handler if the first read of a setting throws.',
    matches:
      /^\{"build":\[(?:\{"(?:steps|set|engine)"(?:(?!"(?:use|mount|route|param|parser|files|log|middleware|example)":).)*)?\],"listeners":\[\{"event":"request"|"override":"app\d?\.enabled","before":(?!\[\],"pass":"same","after":\[\])|"remove":"app\d?\.enabled"|"set":"query parser","value":\{"\$":"function","v":\{"\$":"error"/s,
  },
  {
    id: 'closed-connections',
    series: [4],
    why:
      'body-parser 2 does not read the body of a request whose connection is closed; body-parser 1 does. If it finds an ' +
      'error, the middleware behind it is not called, such as the logger.',
    matches: /"(?:res|req)(?:\.socket)?\.destroy"|"broken connection"/,
    hides:
      /^(?:console "(?:SyntaxError|BadRequestError|PayloadTooLargeError|UnsupportedMediaTypeError)|req\.body = |log ).*/gs,
  },
  {
    id: 'frozen-settings',
    series: [4],
    why:
      'An invalid value of a setting is refused before it is stored. Express 4 stores it first, which fails if the ' +
      'settings are frozen.',
    matches: /"freeze":"app\d?\.settings"/,
  },
  {
    id: 'frozen-prototypes',
    series: [4],
    why:
      'If `app.request` or `app.response` is frozen, `app.use` cannot change its prototype and throws. The mounted application ' +
      'has then inherited the settings of its parent here, but not yet in Express 4.',
    matches: /"mount":.*"freeze":"app\d?\.(?:request|response)"/s,
  },
  {
    id: 'request-destroy',
    series: [4],
    why:
      'Where an exception in Express 4 is uncaught (errors-while-responding), this build closes the connection. Node.js then ' +
      'calls `req.destroy`, which the application has replaced.',
    matches: /"(?:accessor|assign)":"[^"]*\.request\.destroy"/,
  },
  {
    id: 'file-options',
    series: [4],
    why: 'Options of `res.sendFile` that are a URL or a Buffer have members that fail for another object; Express 4 copies them.',
    matches: /"call":"res\.(?:sendFile|sendfile|download)","args":\[[^\]]*\{"\$":"(?:url|buffer)"/,
  },
  {
    id: 'request-length',
    series: [4],
    why: 'body-parser 1 stores the length of the body as `req.length`, body-parser 2 does not.',
    matches: /"parser":|"example":/,
    hides: /,length\b(?<=keys=[^ ]*)/g,
  },
  {
    id: 'path-as-text',
    series: [3, 4],
    why: '`res.sendfile` of a value that is no text calls its `toString` more often than Express 4 does.',
    matches: /"call":"res\.sendfile","args":\[\{"\$":"toString trap"/,
    hides: /^toString\(\)$/,
  },
  {
    id: 'headers-sent',
    series: [3, 4],
    why: 'finalhandler 1 ignores a `headersSent` that is not a boolean; an application replaces it with other values only here.',
    matches: /"(?:accessor|assign)":"[^"]*\.headersSent"/,
  },
  {
    id: 'closed-before-text',
    series: [4, 5],
    why:
      'Express sends a text with an ETag as a Buffer. If the connection was closed before, Node.js then does not emit ' +
      '`prefinish`; it does for a string, which this build sends. An overridden `emit` records this.',
    matches: /"override":"[^"]*\.emit"/,
    hides: /^\S+\.emit\("prefinish"\)(?: → .*)?$/,
  },
  {
    id: 'closed-before-text-steps',
    series: [4, 5],
    why:
      'For the same reason, an overridden `emit` that does more than call the original does it for `prefinish`. The ' +
      'connection is closed by a pipelined request that cannot be parsed.',
    matches: /"override":"[^"]*\.emit","before":\[\{.*"send":\[.*\\r\\n\\r\\n(?!"|[A-Z]+ )/s,
  },
  {
    id: 'reads-application',
    series: [4, 5],
    why: '`res.send` of Express reads `res.app` once. An overridden `setHeader` that replaces it has an effect here.',
    matches: /"override":"[^"]*\.setHeader".*"assign":"res\.app"/s,
  },
  {
    id: 'pipelined-404',
    series: [4, 5],
    why:
      'The 404 pages of pipelined requests may be created in another order. The client receives them in the order of its ' +
      'requests; an overridden `end` records the other one.',
    matches: /"override":"[^"]*\.end"/,
    hides: /^\S+\.end\("<!DOCTYPE.*/gs,
  },
  {
    id: 'lost-404',
    series: [4, 5],
    why:
      'If the connection fails before the request has ended, Express still calls `writeHead` for its 404 page, which no ' +
      'client receives. An overridden `writeHead` records this.',
    matches: /"override":"[^"]*\.writeHead"/,
    hides: /^\S+\.writeHead\(404\)(?: → .*)?$/,
  },
  {
    id: 'listeners-of-log',
    series: EVERY,
    why: 'The logger waits for the end of a response with other listeners than morgan; an overridden `on` records this.',
    matches: /"log":/,
    hides: /^\S+\.(?:on|once|addListener)\("(?:end|prefinish|finish|close)", function\)(?: → .*)?$/,
  },
  {
    id: 'base-url',
    series: [3],
    why: 'A request has `baseUrl`, so that applications of 4.x and 5.x can be mounted, and its own properties differ.',
    hides: / base=\S*|(?<= keys=)\S+/g,
  },
  {
    id: 'express3-query',
    series: [3],
    why: '`req.query` is parsed by the current qs (express3-query-names and express3-query-mixes).',
    hides: / query=.*?(?= route=)|^req\.query(?:\.a)? = .*/gs,
  },
  {
    id: 'express3-param-names',
    series: [3],
    why: '`req.param` returns no members of `Object.prototype`: the client may choose the name.',
    matches: /"call":"req\.param","args":\["toString"/,
    hides: /^req\.param\(\) → .*/gs,
  },
  {
    id: 'express3-cookies',
    series: [3],
    why: 'The current package cookie checks names, values and options that the one of Express 3 sends as they are.',
    matches: /"call":"res\.(?:cookie|clearCookie)"/,
  },
  {
    id: 'express3-files',
    series: [3],
    why: '`res.sendfile` and `res.download` use the current send: its checks of paths, options and ranges differ.',
    matches: /"call":"res\.(?:sendfile|download)"/,
  },
  {
    id: 'express3-ranges',
    series: [3],
    why:
      'The current package range-parser rejects ranges that the one of Express 3 reads, such as `bytes=00`. Express 3 ' +
      'rejects a list if one of its ranges is unsatisfiable.',
    // Both packages agree on a single range such as `1-2`.
    matches: /\\nRange:(?! ?bytes=\d+-\d+\\r\\n)/,
    hides: /^req\.range\(\) → .*/gs,
  },
  {
    id: 'express3-vary',
    series: [3],
    why: 'The current package vary says "invalid header name" for "invalid header".',
    matches: /"call":"res\.vary"/,
  },
  {
    id: 'express3-accepts',
    series: [3],
    why: 'The methods of Express 3 that negotiate throw without arguments.',
    matches: /"call":"req\.(?:accept\w*|is)","args":\[\]/,
  },
  {
    id: 'express3-fresh',
    series: [3],
    why:
      'The current package fresh ignores `*` beside other tags, and If-Modified-Since beside If-None-Match. Since Node.js ' +
      '24, Express 3 finds no headers of a response.',
    matches:
      /If-None-Match:(?:(?!\\r\\n\\r\\n).)*(?:If-None-Match|If-Modified-Since):|If-Modified-Since:(?:(?!\\r\\n\\r\\n).)*If-None-Match:/,
  },
  {
    id: 'express3-no-prototype',
    series: [3],
    why: 'Express 3 fails for an error without a prototype; this build passes it to the error handlers.',
    matches: /"(?:raise":|next":\[)\{"\$":"null prototype"/,
  },
  {
    id: 'express3-absolute-target',
    series: [3],
    why: 'connect finds the path of an absolute target without a path, or with a port, in a way of its own.',
    matches: /"\w+ https?:\/\/(?:[^/ ]*:| )/,
  },
  {
    id: 'express3-set-header',
    series: [3],
    why: 'connect replaces `setHeader` and `on` of all responses of the process; here they are members of `app.response`.',
    matches:
      /"(?:override|assign|accessor)":"http\.(?:ServerResponse|OutgoingMessage)\.prototype\.(?:setHeader|on)"/,
  },
  {
    id: 'express3-get-headers',
    series: [3],
    why: 'Express 3 reads `res._headers`, which calls an overridden `getHeaders`.',
    matches: /"override":"[^"]*\.getHeaders"/,
  },
  {
    id: 'express3-get-header',
    series: [3],
    why: 'Express 3 reads the ETag and Last-Modified of a response from `res._headers`, not through `getHeader`.',
    matches: /"override":"[^"]*\.getHeader"/,
    hides: /^\S+\.getHeader\("(?:ETag|Last-Modified)"\)(?: → .*)?$/,
  },
  {
    id: 'express3-frozen',
    series: [3],
    why: 'Express 3 is not strict code: it ignores that it cannot assign to a frozen application or a read-only property.',
    matches: /"freeze":|"settable":false/,
  },
  {
    id: 'finished',
    series: [3, 4],
    why: 'Node.js assigns `finished` while it creates a response; this build creates responses with other prototypes.',
    matches: /"accessor":"http\.OutgoingMessage\.prototype\.finished"/,
  },
  {
    id: 'express3-own-members',
    series: [3],
    why: 'Applications that replace `locals` of all responses, or methods of streams and `writeHead` by other values.',
    matches: /"(?:accessor|assign)":"[^"]*\.(?:response\.locals|unpipe|resume|on|emit|pipe|read|writeHead)"/,
  },
];
