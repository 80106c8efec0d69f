// Nozomi with a seeded fault, whose name is in the variable FAULT. `npm run check -- trust` must detect each fault in the
// bookshop.
const nozomi = require('../../../dist/index.js');

/**
 * By name: a change that clients can observe. `create` changes a new application, `before` runs before its middleware,
 * and `files` changes the options of `static`.
 */
const FAULTS = {
  'no ETag': { create: (app) => app.set('etag', false) },
  'a strong ETag': { create: (app) => app.set('etag', 'strong') },
  'no X-Powered-By': { create: (app) => app.disable('x-powered-by') },
  'JSON with blanks': { create: (app) => app.set('json spaces', 1) },
  'only the first query parameter': {
    create: (app) =>
      app.set('query parser', (text) => Object.fromEntries([...new URLSearchParams(text)].slice(0, 1))),
  },
  'the address of the proxy as req.ip': {
    create: (app) => Object.defineProperty(app.request, 'ip', { get: () => '127.0.0.1' }),
  },
  '200 for 201': wrap('status', (status, code) => status(code === 201 ? 200 : code)),
  '500 for 503': wrap('status', (status, code) => status(code === 503 ? 500 : code)),
  '302 for 303': wrap('redirect', (redirect, first, ...rest) =>
    redirect(first === 303 ? 302 : first, ...rest),
  ),
  'a slash behind Location': wrap('location', (location, url) => location(`${url}/`)),
  'a cookie without SameSite': wrap('cookie', (cookie, name, value, { sameSite: _, ...options } = {}) =>
    cookie(name, value, options),
  ),
  'a file shown in place of saved': wrap('attachment', (attachment, name) =>
    attachment(name).setHeader('Content-Disposition', `inline; filename="${name}"`),
  ),
  'no Vary for negotiated content': wrap('format', (format, formats) => {
    const res = format(formats);
    res.removeHeader('Vary');
    return res;
  }),
  'one byte in a large page with an id': wrap('send', (send, body) =>
    send(typeof body === 'string' ? body.replace('<td>41</td>', '<td>41 </td>') : body),
  ),
  'the body of a 204': wrap('sendStatus', (sendStatus, code) => sendStatus(code === 204 ? 200 : code)),
  'a session cookie without HttpOnly': {
    before: (_req, res) =>
      rewrite(res, 'setHeader', (name, value) => [
        name,
        /^set-cookie$/i.test(name) ? [value].flat().map((one) => one.replace('; HttpOnly', '')) : value,
      ]),
  },
  'one line less in a stream': {
    before: (req, res) =>
      req.path === '/export' && rewrite(res, 'write', (chunk) => [/"turn":59/.test(chunk) ? '' : chunk]),
  },
  'events with another name': {
    before: (req, res) =>
      req.path === '/events' && rewrite(res, 'write', (chunk) => [String(chunk).replace(/^id:/, 'ID:')]),
  },
  'static files that expire at once': { files: (options) => ({ ...options, maxAge: 0 }) },
  'static files without Last-Modified': { files: (options) => ({ ...options, lastModified: false }) },
};

module.exports = withFault(FAULTS[process.env.FAULT]);
module.exports.FAULTS = FAULTS;

function withFault(fault) {
  if (!fault) return nozomi;
  const framework = () => {
    const app = nozomi();
    fault.create?.(app);
    if (fault.before)
      app.use((req, res, next) => {
        fault.before(req, res);
        next();
      });
    return app;
  };
  return Object.assign(framework, nozomi, {
    static: (root, options) => nozomi.static(root, fault.files ? fault.files(options) : options),
  });
}

/** Creates a fault that overrides a method of `app.response`. */
function wrap(name, act) {
  return {
    create(app) {
      const original = app.response[name];
      app.response[name] = function (...args) {
        return act((...given) => original.apply(this, given), ...args);
      };
    },
  };
}

function rewrite(res, name, change) {
  const original = res[name];
  res[name] = function (...args) {
    return original.apply(this, [...change(...args), ...args.slice(name === 'setHeader' ? 2 : 1)]);
  };
}
