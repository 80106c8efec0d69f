/** `status`, `sendStatus`, `send`, `json` and `jsonp` of Express 4. E4-F1 to E4-F8, E4-F23 to E4-F27, E4-F47 */
import deprecateFor from 'depd';
import { jsonMethods } from '../response/json';
import { send as core, sendMethods } from '../response/send';
import type { Part } from '../types';
import { hasFutureFlag } from './future-flags';
import { headers } from './headers';
import { express4 } from './series';
import type { Response } from './types';

const deprecate = deprecateFor('express');

const senders = sendMethods<Response>(express4.response, headers);

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
  ...jsonMethods<Response>(express4.response, { set: headers.set, type: headers.type, send: senders.send }),
};
