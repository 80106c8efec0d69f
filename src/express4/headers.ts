/** The header methods of Express 4. E4-F16, E4-F20 to E4-F22, E4-F28 to E4-F30 */
import { headerMethods } from '../legacy/headers';
import type { Part } from '../types';
import { express4 } from './series';
import type { Response } from './types';

type Member = 'set' | 'header' | 'type' | 'contentType' | 'links' | 'vary' | 'attachment';

export const headers: Part<Response, Member> = headerMethods<Response>(express4.response);
