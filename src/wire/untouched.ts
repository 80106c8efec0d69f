/**
 * Whether a response is as it was made. A program may put a function of its own in the place of any member, and sees
 * every call that the reference makes of it (§4.5); calls of the house's own members need not be made.
 */
import { ServerResponse } from 'node:http';
import { ListedResponse } from '../response/field-list';
import type { Response } from '../types';

const { end } = ServerResponse.prototype;
const { getHeader, setHeader }: { getHeader: unknown; setHeader: unknown } = ListedResponse.prototype;

/** `res.get`: a field as it is set by now. */
export function get(this: Response, field: string): number | string | string[] | undefined {
  return this.getHeader(field);
}

export function isReadUntouched(res: Response): boolean {
  return res.get === get && res.getHeader === getHeader;
}

export function isWriteUntouched(res: Response): boolean {
  return res.setHeader === setHeader && res.end === end;
}
