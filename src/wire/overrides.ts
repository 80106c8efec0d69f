/**
 * Whether a response still has the methods it was created with. An application may override any of them, and then sees
 * the calls that Express makes (§4.5); calls of methods that are not overridden nobody can observe, so they can be left out.
 */
import { ServerResponse } from 'node:http';
import type { Response } from '../types';

const { end, getHeader, setHeader } = ServerResponse.prototype;

/** `res.get`: a header as it is set by now. */
export function get(this: Response, name: string): string | undefined {
  // A number or a list where that was set; @types/express has text only.
  return this.getHeader(name) as string | undefined;
}

/** Whether reading a header calls methods of the application. */
export function overridesReads(res: ServerResponse & { get: unknown }): boolean {
  return res.get !== get || res.getHeader !== getHeader;
}

/** Whether setting a header, or ending the response, calls methods of the application. */
export function overridesWrites(res: ServerResponse): boolean {
  return res.setHeader !== setHeader || res.end !== end;
}
