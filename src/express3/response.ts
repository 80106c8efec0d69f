/**
 * The response prototype of the Express 3 interface: the members of the Express 5 interface, and those that replace them.
 * §9.3
 *
 * They are copied, because light-my-request replaces the prototype of this object, which is that of Node.js in Express.
 */
import { ServerResponse } from 'node:http';
import { response as core } from '../response/response';
import { cookie } from './cookie';
import { file } from './file';
import { headers } from './headers';
import { redirect } from './redirect';
import { render } from './render';
import { send } from './send';
import type { Response } from './types';

export const response: Response = Object.create(ServerResponse.prototype, {
  ...Object.getOwnPropertyDescriptors(core),
  ...Object.getOwnPropertyDescriptors(send),
  ...Object.getOwnPropertyDescriptors(headers),
  ...Object.getOwnPropertyDescriptors(redirect),
  ...Object.getOwnPropertyDescriptors(cookie),
  ...Object.getOwnPropertyDescriptors(file),
  ...Object.getOwnPropertyDescriptors(render),
});
