/** The methods `status`, `send`, `json` and `jsonp` of Express 3, which also accept a status with the body. §9.3 */
import { STATUS_CODES } from 'node:http';
import deprecateFor from 'depd';
import { readSetting } from '../internal/setting';
import { setCharset } from '../legacy/media-type';
import { sendScript, stringify } from '../response/json';
import { endBody, isJson, sendIfWebBody, withStatus } from '../response/send';
import type { Part } from '../types';
import { express3 } from './series';
import type { Response } from './types';

const deprecate = deprecateFor('express');

type Form = 'json' | 'jsonp';

export const send: Part<Response, 'status' | 'send' | 'json' | 'jsonp'> = {
  status(code: number) {
    this.statusCode = code;
    return this;
  },

  /** Sends `(body)`, `(status, body)` or `(body, status)`. The body of `(status)` is the reason phrase. */
  send(...args: unknown[]) {
    let [body] = args;
    if (args.length === 2) {
      const isReversed = typeof body !== 'number' && typeof args[1] === 'number';
      body = isReversed ? withStatus(this, args[1], body) : withStatus(this, body, args[1]);
    } else if (typeof body === 'number') {
      if (!this.get('Content-Type')) this.type('txt');
      this.statusCode = body;
      body = STATUS_CODES[body];
    }
    return sendBody(this, body);
  },

  /** Sends a value as JSON. The arguments are `(value)`, `(status, value)` or `(value, status)`. */
  json(...args: unknown[]) {
    const body = stringify(takeStatus(this, args, 'json'), this.app, express3.response);
    // Assigned in any case: a setter that the application has defined is called, as in Express 3.
    this.charset = this.charset || 'utf-8';
    if (!this.get('Content-Type')) this.set('Content-Type', 'application/json');
    return this.send(body);
  },

  /** Sends a value as JSON. If the query names a callback function, sends a script that calls it with the value. */
  jsonp(...args: unknown[]) {
    const body = stringify(takeStatus(this, args, 'jsonp'), this.app, express3.response);
    return sendScript(this, body, this.req.query ?? {}, () => {
      this.charset = 'utf-8';
    });
  },
};

function sendBody(res: Response, given: unknown): Response {
  if (isJson(given, express3.response)) return sendIfWebBody(res, given) ? res : res.json(given);
  // Node.js throws for any other value, such as a function.
  const body = (given === null ? '' : given) as string | Buffer | undefined;
  setType(res, given);

  const encoding = typeof body === 'string' ? 'utf8' : undefined;
  if (body !== undefined) {
    if (!res.get('Content-Length')) {
      res.set('Content-Length', Buffer.byteLength(body));
      setETag(res, body, encoding);
    }
  }
  endBody(res, body, encoding, express3.response);
  return res;
}

/** Sets the default type: HTML for a string, binary for a buffer. The charset of a string is always UTF-8. */
function setType(res: Response, body: unknown): void {
  const type = res.get('Content-Type');
  if (typeof body === 'string' && !type) {
    res.charset = res.charset || 'utf-8';
    res.type('html');
  } else if (Buffer.isBuffer(body) && !type) {
    res.type('bin');
  }
  if (typeof body === 'string' || body === null) {
    const now = res.get('Content-Type');
    if (typeof now === 'string') res.set('Content-Type', setCharset(now, 'utf-8'));
  }
}

function setETag(res: Response, body: string | Buffer, encoding: 'utf8' | undefined): void {
  const generate = readSetting(res.app, 'etag fn');
  if (typeof generate !== 'function' || res.get('ETag')) return;
  // As in Express 3, the function receives a text body as a string, not as a buffer.
  const etag = generate(body as Buffer, encoding);
  if (etag) res.set('ETag', etag);
}

/** Takes `(value)`, `(status, value)` or `(value, status)`: sets the status, if there is one, and returns the value. */
function takeStatus(res: Response, args: readonly unknown[], form: Form): unknown {
  if (args.length !== 2) return args[0];
  const [first, second] = args;
  if (typeof second !== 'number') return withStatus(res, first, second);
  res.statusCode = second;
  if (typeof first === 'number') deprecate(`res.${form}(obj, status): Use res.${form}(status, obj) instead`);
  else deprecate(`res.${form}(num, status): Use res.status(status).${form}(num) instead`);
  return first;
}
