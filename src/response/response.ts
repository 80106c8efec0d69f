/** The response prototype: the members that every `res` has in addition to those of Node.js. §2.7, §4.5 */
import { ServerResponse } from 'node:http';
import type { Response, ResponseMembers } from '../types';
import { cookie } from './cookie';
import { addEarlyHints } from './early-hints';
import { file } from './file';
import { format } from './format';
import { headers } from './headers';
import { json } from './json';
import { redirect } from './redirect';
import { render } from './render';
import { send } from './send';

const members: ResponseMembers = {
  ...send,
  ...json,
  ...headers,
  ...redirect,
  ...format,
  ...cookie,
  ...file,
  ...render,
};

export const response: Response = addEarlyHints(
  Object.assign(Object.create(ServerResponse.prototype), members),
);
