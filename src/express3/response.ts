/** The response prototype of the Express 3 interface. It inherits from that of the Express 5 interface. §9.3 */
import { response as core } from '../response/response';
import { cookie } from './cookie';
import { fields } from './fields';
import { file } from './file';
import { redirect } from './redirect';
import { send } from './send';
import type { Response } from './types';

export const response: Response = Object.create(core, {
  ...Object.getOwnPropertyDescriptors(send),
  ...Object.getOwnPropertyDescriptors(fields),
  ...Object.getOwnPropertyDescriptors(redirect),
  ...Object.getOwnPropertyDescriptors(cookie),
  ...Object.getOwnPropertyDescriptors(file),
});
