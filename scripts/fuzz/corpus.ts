/** Minimal applications on which this build once differed from Express. The specs play each of them. */
import type { Connection, Handler, Program, Statement, Step } from './program';

const handler = (...steps: Step[]): Handler => ({ arity: 3, look: 'path', steps });
const answering = (...steps: Step[]): Statement => ({ use: [handler(...steps)] });
const send = (body: string): Step => ({ call: 'res.send', args: [body] });
const connection = (...pieces: string[]): Connection => ({ send: pieces, aborts: false });
const GET = connection('GET / HTTP/1.1\r\nHost: h\r\n\r\n');

function programOf(...build: Statement[]): Program {
  return { build, listeners: [], actions: [GET] };
}

export const CORPUS: Readonly<Record<string, Program>> = {
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
  'frozen prototypes and a mounted application': programOf(
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
  'bytes behind a request that are none': {
    ...programOf(
      { log: ':method :url :status', options: {} },
      answering({ later: 'immediate', steps: [send('x')] }),
    ),
    actions: [connection('GET /x HTTP/1.1\r\nHost: h\r\n\r\na=1')],
  },
  'http.ServerResponse.prototype.writeHead is called with the arguments given': programOf(
    {
      steps: [{ override: 'http.ServerResponse.prototype.writeHead', before: [], pass: 'same', after: [] }],
    },
    answering(send('x')),
  ),
  'a request prototype of its own in an application mounted in a mounted one': programOf({
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
  'an application without methods of its own for settings fails': programOf({
    mount: { kind: 'application', build: [{ steps: [{ remove: 'app0.get' }] }] },
  }),
  'app.METHOD calls an overridden app.route': programOf(
    { steps: [{ override: 'app.route', before: [], pass: 'same', after: [] }] },
    { route: 'get', path: '/', handlers: [handler(send('x'))] },
  ),
  'the own properties of a request stand in the order of morgan': programOf(
    { log: 'tiny', options: {} },
    { use: [{ arity: 3, look: 'all', steps: [send('x')] }] },
  ),
  'the first request of a frozen application': programOf({ steps: [{ freeze: 'app', how: 'freeze' }] }),
  'mounting an application with a frozen prototype stops where it does in Express': programOf({
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
  'a method of Node.js itself sees the headers of a response': programOf(
    answering(
      { call: 'http.OutgoingMessage.prototype.getHeader', args: ['X-Powered-By'], on: 'res' },
      send('x'),
    ),
  ),
  'a parameter callback that continues twice': {
    build: [
      { param: 'x', handler: handler({ next: [] }, { next: [] }) },
      { route: 'get', path: '/:x/:y', handlers: [handler({ read: 'res.headersSent' }, send('x'))] },
    ],
    listeners: [],
    actions: [connection('GET /1/2 HTTP/1.1\r\nHost: h\r\n\r\n')],
  },
  'a hole in the stack of the router': {
    ...programOf({ stack: 'hole' }, answering(send('x'))),
    actions: [GET, GET],
  },
  'a request of HTTP/2.0 keeps the status message of a response that no handler gave': {
    ...programOf(
      answering(
        { override: 'res.writeHead', before: [{ read: 'res.statusMessage' }], pass: 'same', after: [] },
        { next: [] },
      ),
    ),
    actions: [connection('GET / HTTP/2.0\r\nHost: h\r\n\r\n')],
  },
  'a method of Node.js that a program replaced is called before the response is of the application':
    programOf({
      steps: [
        {
          override: 'http.OutgoingMessage.prototype.emit',
          before: [{ read: 'this.app.settings.env' }],
          pass: 'same',
          after: [],
        },
      ],
    }),
  'a request without its application': programOf(
    answering({ assign: 'req.app', value: { $: 'undefined' } }, { read: 'req.protocol' }),
  ),
  'the prototype of a frozen application is not replaced': programOf({
    steps: [
      { freeze: 'app', how: 'freeze' },
      { replace: 'app.response', members: {} },
    ],
  }),
  'an own `req.on` sees what the last handler waits for': programOf(
    answering({ override: 'req.on', before: [], pass: 'same', after: [] }, { next: [] }),
  ),
  'an own `on` of responses sees what the logger waits for': programOf(
    { log: 'tiny', options: {} },
    { steps: [{ override: 'app.response.on', before: [], pass: 'same', after: [] }] },
  ),
  'what a mounted application assigned to `req.app` stays': programOf(
    {
      mount: {
        kind: 'application',
        build: [answering({ assign: 'req.app', value: { $: 'undefined' } }, { next: [] })],
      },
    },
    answering({ read: 'req.protocol' }, send('x')),
  ),
  'the last handler reads the method of a request as often as finalhandler': programOf(
    answering({ assign: 'req.method', value: { $: 'toString trap', v: 'a' } }, { next: [] }),
  ),
  'a prototype is changed in a request whose `res.app` is none': programOf(
    { mount: { kind: 'application', build: [] } },
    answering(
      { assign: 'res.app', value: { $: 'undefined' } },
      { accessor: 'app.request.url', value: '', settable: false },
      send('x'),
    ),
  ),
  'an own `read` of requests sees the calls of finalhandler': programOf({
    steps: [{ override: 'app.request.read', before: [], pass: 'same', after: [] }],
  }),
  'an overridden `setHeader` of Node.js sees `X-Powered-By` before the response is of the application':
    programOf({
      steps: [
        {
          override: 'http.ServerResponse.prototype.setHeader',
          before: [{ read: 'this.app.settings.env' }],
          pass: 'same',
          after: [],
        },
      ],
    }),
  'an own `once` of responses sees the calls of a read stream': {
    ...programOf(
      { files: { index: 'hello.txt' } },
      { steps: [{ override: 'app.response.once', before: [], pass: 'same', after: [] }] },
    ),
    actions: [GET, GET],
  },
  'the text of a redirect is made after its headers': programOf(
    answering({
      call: 'res.redirect',
      args: [{ $: 'toString trap', v: { $: 'error', v: { message: '' } } }, '/'],
    }),
  ),
  'a proxy in place of `setHeader` is not read': programOf({
    steps: [{ assign: 'app.response.setHeader', value: { $: 'proxy', v: { a: 1 } } }],
  }),
  'res.links reads each link as often as Express': programOf(
    answering({ call: 'res.links', args: [{ $: 'proxy', v: { a: 1 } }] }),
  ),
  'a mounted application extends its prototypes in a request whose `res.app` was assigned before': programOf(
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
