/**
 * The response prototype: what every `res` inherits, over the runtime's own. §2.7, §4.5
 */
import type { Response } from '../types';
import { cookie } from './cookie';
import { ListedResponse } from './field-list';
import { fields } from './fields';
import { file } from './file';
import { json } from './json';
import { redirect } from './redirect';
import { render } from './render';
import { send } from './send';

export const response: Response = Object.assign(
  Object.create(ListedResponse.prototype),
  send,
  json,
  fields,
  redirect,
  cookie,
  file,
  render,
);
