/**
 * The methods `status`, `sendStatus`, `send`, `json` and `jsonp` of the Express 4 response. The last three also accept
 * a status together with the body. E4-F1 to E4-F8, E4-F23 to E4-F27, E4-F47
 */
import deprecateFor from 'depd';
import statuses from 'statuses';
import { setCharset } from '../earlier/media-type';
import { sendScript, stringify } from '../response/json';
import {
  type Body,
  type BodyDialect,
  send as core,
  isJsonOrView,
  sendBody,
  sendIfWebBody,
} from '../response/send';
import type { Part } from '../types';
import { directStore, type HeaderStore } from '../wire/header-store';
import { headers } from './headers';
import { isStepTaken } from './series';
import type { Response } from './types';

const deprecate = deprecateFor('express');

const dialect: BodyDialect = {
  setsLengthAlways: true,
  namesEncoding: false,
  setNotModified: (res) => {
    res.statusCode = 304;
  },
};

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

export const send: Part<Response, 'status' | 'sendStatus' | 'send' | 'json' | 'jsonp'> = {
  /** Sets the status. After `app.set('status', 5)`, it throws for anything but an integer from 100 to 999. */
  status(code: number) {
    if (isStepTaken(this, 'status')) {
      Reflect.apply(core.status, this, [code]);
      return this;
    }
    if ((typeof code === 'string' || Math.floor(code) !== code) && code > 99 && code < 1000) {
      deprecate(`res.status(${JSON.stringify(code)}): use res.status(${Math.floor(code)}) instead`);
    }
    this.statusCode = code;
    return this;
  },

  /** Sends a status. The body is its reason phrase, or the number if there is no phrase. */
  sendStatus(code: number) {
    const body = statuses.message[code] || String(code);
    this.statusCode = code;
    this.type('txt');
    return this.send(body);
  },

  /**
   * Sends a body: a string (as HTML by default), a buffer, or an object or boolean as JSON. The body is empty for null
   * and undefined. A number alone is the status, which is deprecated.
   *
   * Sets `Content-Length`, and `ETag` if the setting `etag` is on, unless the body is undefined.
   */
  send(...args: [body?: unknown, status?: unknown]) {
    let [body] = args;
    if (args.length === 2) {
      if (typeof body !== 'number' && typeof args[1] === 'number') {
        deprecate('res.send(body, status): Use res.status(status).send(body) instead');
        this.statusCode = args[1];
      } else {
        deprecate('res.send(status, body): Use res.status(status).send(body) instead');
        // As in Express 4, the type of the status is not checked.
        this.statusCode = body as number;
        body = args[1];
      }
    } else if (typeof body === 'number' && args.length === 1) {
      if (!this.get('Content-Type')) this.type('txt');
      deprecate('res.send(status): Use res.sendStatus(status) instead');
      this.statusCode = body;
      body = statuses.message[body];
    }
    if (isJsonOrView(body)) return sendIfWebBody(this, body) ? this : this.json(body);

    const store = directStore(this, headers);
    if (typeof body === 'string' || (body === null && this.get('Content-Type')))
      setTextType(this, store, HTML);
    else if (Buffer.isBuffer(body) && !this.get('Content-Type')) this.type('bin');
    sendBody(
      this,
      // As in Express, Node.js throws for any other value, such as a function.
      body === null ? '' : (body as Body | undefined),
      body === null || typeof body === 'string',
      store,
      dialect,
    );
    return this;
  },

  /** Sends a value as JSON. The two-argument forms with a status are deprecated. */
  json(...args: unknown[]) {
    const [value] = args.length === 2 ? [takeStatus(this, args, 'json')] : args;
    const body = stringify(value, this.app);
    const store = this.send === ownSend ? directStore(this, headers) : undefined;
    if (typeof body === 'string' && store) {
      setTextType(this, store, JSON_TYPE);
      sendBody(this, body, true, store, dialect);
      return this;
    }
    if (!this.get('Content-Type')) this.set('Content-Type', 'application/json');
    return this.send(body);
  },

  /**
   * Sends a value as JSON. If the query names a callback function, sends a script that calls it with the value.
   */
  jsonp(...args: unknown[]) {
    const [value] = args.length === 2 ? [takeStatus(this, args, 'jsonp')] : args;
    return sendScript(this, value);
  },
};

const { send: ownSend } = send;

/** Takes `(status, value)` or `(value, status)`: sets the status and returns the value. */
function takeStatus(res: Response, [first, second]: readonly unknown[], form: 'json' | 'jsonp'): unknown {
  if (typeof second === 'number') {
    deprecate(`res.${form}(obj, status): Use res.status(status).${form}(obj) instead`);
    res.statusCode = second;
    return first;
  }
  deprecate(`res.${form}(status, obj): Use res.status(status).${form}(obj) instead`);
  // As in Express 4, the type of the status is not checked.
  res.statusCode = first as number;
  return second;
}

/**
 * Sets the charset of a text body to UTF-8.
 *
 * @param usual The content type to set if there is none.
 */
function setTextType(res: Response, store: HeaderStore | undefined, usual: string): void {
  if (!store) {
    if (!res.get('Content-Type')) res.type('html');
    const type: unknown = res.get('Content-Type');
    if (typeof type === 'string') res.set('Content-Type', setCharset(type, 'utf-8'));
    return;
  }
  const type = store['content-type']?.[1];
  if (!type) store['content-type'] = ['Content-Type', usual];
  else if (type !== usual && typeof type === 'string') {
    store['content-type'] = ['Content-Type', setCharset(type, 'utf-8')];
  }
}
