/** Minimal applications, found by the fuzzer, for which it is hard to behave like Express. spec/security plays them. */
import type { Connection, Handler, Program, Series, Statement, Step, Value } from './program';

const handler = (...steps: Step[]): Handler => ({ arity: 3, look: 'path', steps });
const answering = (...steps: Step[]): Statement => ({ use: [handler(...steps)] });
const send = (body: string): Step => ({ call: 'res.send', args: [body] });
const connection = (...pieces: string[]): Connection => ({ send: pieces, aborts: false });
const GET = connection('GET / HTTP/1.1\r\nHost: h\r\n\r\n');

function programOf(...build: Statement[]): Program {
  return { build, listeners: [], actions: [GET] };
}

const CORPUS_5: Readonly<Record<string, Program>> = {
  'a header beyond ASCII is sent in latin1, with a text body': programOf(
    answering({ call: 'res.set', args: ['X-Name', 'é'] }, { call: 'res.json', args: [{ a: 1 }] }),
  ),
  'a request listener before the application sees no getters of Express': {
    ...programOf(answering({ read: 'req.query' }, send('x'))),
    listeners: [{ event: 'request', first: true, steps: [{ assign: 'req.query', value: { mine: 1 } }] }],
  },
  'an overridden app.response.end is not called for a request without Host': {
    ...programOf(
      {
        steps: [
          {
            override: 'app.response.end',
            before: [{ assign: 'this.locals.ended', value: true }],
            pass: 'same',
            after: [],
          },
        ],
      },
      answering(send('ok')),
    ),
    actions: [connection('GET / HTTP/1.1\r\n\r\n'), GET],
  },
  'a mounted application extends its prototypes within a request': programOf({
    mount: {
      kind: 'application',
      build: [
        answering(
          { assign: 'app.response.hi', value: { $: 'function', v: 'hi' } },
          { call: 'res.hi', args: [] },
          send('x'),
        ),
      ],
    },
  }),
  'overridden app.get and app.enabled are called for each response': programOf(
    {
      steps: [
        { override: 'app.enabled', before: [], pass: 'none', after: [] },
        { override: 'app.get', before: [], pass: 'same', after: [] },
      ],
    },
    answering({ call: 'res.json', args: [{ a: 1 }] }),
  ),
  'an application with frozen prototypes mounts another one': programOf(
    { mount: { kind: 'application', build: [answering(send('mounted'))] } },
    {
      steps: [
        { freeze: 'app.request', how: 'freeze' },
        { freeze: 'app.response', how: 'freeze' },
      ],
    },
  ),
  'an accessor on app.request under a name that Node.js assigns': programOf(
    { steps: [{ accessor: 'app.request.method', value: 'GET', settable: false }] },
    answering({ read: 'req.method' }, send('x')),
  ),
  'the bytes after a request are not a request': {
    ...programOf(
      { log: ':method :url :status', options: {} },
      answering({ later: 'immediate', steps: [send('x')] }),
    ),
    actions: [connection('GET /x HTTP/1.1\r\nHost: h\r\n\r\na=1')],
  },
  'an overridden http.ServerResponse.prototype.writeHead gets the arguments that Express passes': programOf(
    {
      steps: [{ override: 'http.ServerResponse.prototype.writeHead', before: [], pass: 'same', after: [] }],
    },
    answering(send('x')),
  ),
  'an application, two levels deep, replaces app.request': programOf({
    mount: {
      kind: 'application',
      build: [
        {
          mount: {
            kind: 'application',
            build: [
              { steps: [{ replace: 'app.request', members: { extra: 1 } }] },
              answering({ read: 'req.extra' }, { read: 'req.app' }, send('x')),
            ],
          },
        },
      ],
    },
  }),
  'a mounted application deletes app.get': programOf({
    mount: { kind: 'application', build: [{ steps: [{ remove: 'app0.get' }] }] },
  }),
  'app.METHOD calls an overridden app.route': programOf(
    { steps: [{ override: 'app.route', before: [], pass: 'same', after: [] }] },
    { route: 'get', path: '/', handlers: [handler(send('x'))] },
  ),
  'the logger adds properties to a request in the order of morgan': programOf(
    { log: 'tiny', options: {} },
    { use: [{ arity: 3, look: 'all', steps: [send('x')] }] },
  ),
  'the first request of a frozen application': programOf({ steps: [{ freeze: 'app', how: 'freeze' }] }),
  'mounting an application with a frozen app.response fails as in Express': programOf({
    mount: {
      kind: 'application',
      build: [
        answering({ read: 'req.protocol' }, send('x')),
        { steps: [{ freeze: 'app.response', how: 'freeze' }] },
      ],
    },
  }),
  'an accessor on app.request under the name `res`': programOf({
    steps: [{ accessor: 'app.request.res', value: 1, settable: false }],
  }),
  'an accessor on app.response under the name `app`, and a mounted application': programOf(
    { steps: [{ accessor: 'app.response.app', value: 1, settable: true }] },
    { mount: { kind: 'application', build: [] } },
  ),
  'OutgoingMessage.prototype.getHeader of Node.js returns the headers of a response': programOf(
    answering(
      { call: 'http.OutgoingMessage.prototype.getHeader', args: ['X-Powered-By'], on: 'res' },
      send('x'),
    ),
  ),
  'a parameter callback calls next twice': {
    build: [
      { param: 'x', handler: handler({ next: [] }, { next: [] }) },
      { route: 'get', path: '/:x/:y', handlers: [handler({ read: 'res.headersSent' }, send('x'))] },
    ],
    listeners: [],
    actions: [connection('GET /1/2 HTTP/1.1\r\nHost: h\r\n\r\n')],
  },
  'an application adds undefined to the stack of the router': {
    ...programOf({ stack: 'hole' }, answering(send('x'))),
    actions: [GET, GET],
  },
  'the 404 response to an HTTP/2.0 request line keeps its status message': {
    ...programOf(
      answering(
        { override: 'res.writeHead', before: [{ read: 'res.statusMessage' }], pass: 'same', after: [] },
        { next: [] },
      ),
    ),
    actions: [connection('GET / HTTP/2.0\r\nHost: h\r\n\r\n')],
  },
  'an overridden OutgoingMessage.prototype.emit is called before res.app is set': programOf({
    steps: [
      {
        override: 'http.OutgoingMessage.prototype.emit',
        before: [{ read: 'this.app.settings.env' }],
        pass: 'same',
        after: [],
      },
    ],
  }),
  'an application sets req.app to undefined': programOf(
    answering({ assign: 'req.app', value: { $: 'undefined' } }, { read: 'req.protocol' }),
  ),
  'an assignment to app.response of a frozen application has no effect': programOf({
    steps: [
      { freeze: 'app', how: 'freeze' },
      { replace: 'app.response', members: {} },
    ],
  }),
  'an overridden `req.on` is called with the listeners of finalhandler': programOf(
    answering({ override: 'req.on', before: [], pass: 'same', after: [] }, { next: [] }),
  ),
  'an overridden `app.response.on` is called with the listeners of the logger': programOf(
    { log: 'tiny', options: {} },
    { steps: [{ override: 'app.response.on', before: [], pass: 'same', after: [] }] },
  ),
  'the value that a mounted application assigns to `req.app` stays': programOf(
    {
      mount: {
        kind: 'application',
        build: [answering({ assign: 'req.app', value: { $: 'undefined' } }, { next: [] })],
      },
    },
    answering({ read: 'req.protocol' }, send('x')),
  ),
  'the 404 handler reads `req.method` as often as finalhandler': programOf(
    answering({ assign: 'req.method', value: { $: 'toString trap', v: 'a' } }, { next: [] }),
  ),
  'a prototype changes during a request whose `res.app` is undefined': programOf(
    { mount: { kind: 'application', build: [] } },
    answering(
      { assign: 'res.app', value: { $: 'undefined' } },
      { accessor: 'app.request.url', value: '', settable: false },
      send('x'),
    ),
  ),
  'an overridden `app.request.read` is called by finalhandler': programOf({
    steps: [{ override: 'app.request.read', before: [], pass: 'same', after: [] }],
  }),
  'an overridden ServerResponse.prototype.setHeader gets `X-Powered-By` before res.app is set': programOf({
    steps: [
      {
        override: 'http.ServerResponse.prototype.setHeader',
        before: [{ read: 'this.app.settings.env' }],
        pass: 'same',
        after: [],
      },
    ],
  }),
  'an overridden `app.response.once` is called by the read stream of a file': {
    ...programOf(
      { files: { index: 'hello.txt' } },
      { steps: [{ override: 'app.response.once', before: [], pass: 'same', after: [] }] },
    ),
    actions: [GET, GET],
  },
  'res.redirect converts the status to text after it has set the headers': programOf(
    answering({
      call: 'res.redirect',
      args: [{ $: 'toString trap', v: { $: 'error', v: { message: '' } } }, '/'],
    }),
  ),
  'a proxy replaces `app.response.setHeader`, and no property of it is read': programOf({
    steps: [{ assign: 'app.response.setHeader', value: { $: 'proxy', v: { a: 1 } } }],
  }),
  'res.links reads each link as often as Express': programOf(
    answering({ call: 'res.links', args: [{ $: 'proxy', v: { a: 1 } }] }),
  ),
  'a mounted application extends its prototypes after `res.app` was assigned': programOf(
    answering({ assign: 'res.app', value: 1 }, { next: [] }),
    {
      mount: {
        kind: 'application',
        build: [
          answering(
            { assign: 'app.request.hi', value: { $: 'function', v: 'hi' } },
            { call: 'req.hi', args: [] },
            send('x'),
          ),
        ],
      },
    },
  ),
};

const failing = (members: { readonly [name: string]: Value }): Statement =>
  answering({ next: [{ $: 'error', v: { message: 'm', ...members } }] });

const CORPUS_4: Readonly<Record<string, Program>> = {
  'an overridden app.get is not called for app.enabled': programOf(
    { steps: [{ override: 'app.get', before: [], pass: 'same', after: [] }] },
    answering(send('x')),
  ),
  'a function as query parser is called with two arguments': programOf(
    { set: 'query parser', value: { $: 'function', v: { q: 1 } } },
    answering(send('x')),
  ),
  'urlencoded checks its option limit before parameterLimit': programOf({
    parser: 'urlencoded',
    options: { limit: 'x', extended: false, parameterLimit: 0 },
  }),
};

const CORPUS_3: Readonly<Record<string, Program>> = {
  'an error has a status above 599': programOf(failing({ statusCode: 600 })),
  'an error has two statuses, one of a success': programOf(failing({ status: 200, statusCode: 503 })),
  'an error has a status as text': programOf(failing({ status: '404' })),
  'res.vary is called with a number': programOf(answering({ call: 'res.vary', args: [1.5] }, send('x'))),
  'res.charset has a value that a header cannot have': programOf(
    answering(
      { assign: 'res.charset', value: 'a\nb' },
      { call: 'res.set', args: ['Content-Type', 'a/b'] },
      send('x'),
    ),
  ),
  'the setting of 5.x for the query parser has an invalid value': programOf(
    { set: 'query parser', value: null },
    answering(send('x')),
  ),
};

export const CORPUS: Readonly<Record<Series, Readonly<Record<string, Program>>>> = {
  5: CORPUS_5,
  4: CORPUS_4,
  3: CORPUS_3,
};
