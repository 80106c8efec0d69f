/** `status`, `sendStatus`, `send`, `json` and `jsonp` of Express 4. E4-F1 to E4-F8, E4-F23 to E4-F27, E4-F47 */
import deprecateFor from 'depd';
import { setCharset } from '../legacy/media-type';
import { jsonMethods } from '../response/json';
import { type BodyDialect, send as core, isJsonOrView, sendMethods } from '../response/send';
import type { Part } from '../types';
import { hasFutureFlag } from './future-flags';
import { headers } from './headers';
import type { Response } from './types';

const deprecate = deprecateFor('express');

const dialect: BodyDialect<Response> = {
  own: headers,
  empties205: true,
  setsLengthAlways: true,
  namesEncoding: false,
  acceptsStatus: true,
  sendsNullAsText: true,
  keepsAnyType: true,
  isJson: isJsonOrView,

  setStatus: (res, code) => {
    res.statusCode = code;
  },

  toUtf8: (type) => setCharset(type, 'utf-8'),

  setTextType(res) {
    if (!res.get('Content-Type')) res.type('html');
    const type: unknown = res.get('Content-Type');
    if (typeof type === 'string') res.set('Content-Type', setCharset(type, 'utf-8'));
  },
};

const senders = sendMethods<Response>(dialect);

export const send: Part<Response, 'status' | 'sendStatus' | 'send' | 'json' | 'jsonp'> = {
  /** Sets the status. After `app.set('status', 5)`, it throws for anything but an integer from 100 to 999. */
  status(code: number) {
    if (hasFutureFlag(this, 'status')) {
      Reflect.apply(core.status, this, [code]);
      return this;
    }
    if ((typeof code === 'string' || Math.floor(code) !== code) && code > 99 && code < 1000) {
      deprecate(`res.status(${JSON.stringify(code)}): use res.status(${Math.floor(code)}) instead`);
    }
    this.statusCode = code;
    return this;
  },

  sendStatus: senders.sendStatus,
  send: senders.send,
  ...jsonMethods<Response>(dialect, senders.send),
};
