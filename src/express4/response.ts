/** The response prototype of Express 4: the members that every `res` has in addition to those of Node.js. E4-F */
import { ServerResponse } from 'node:http';
import { addEarlyHints } from '../response/early-hints';
import { response as core } from '../response/response';
import { cookie } from './cookie';
import { file } from './file';
import { headers } from './headers';
import { redirect } from './redirect';
import { send } from './send';
import type { Response } from './types';

const { get, append, render } = core;

export const response: Response = addEarlyHints(
  Object.assign(
    Object.create(ServerResponse.prototype),
    { get, append, render },
    send,
    headers,
    redirect,
    cookie,
    file,
  ),
);
