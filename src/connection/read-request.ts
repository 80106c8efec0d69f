/**
 * Reads the head of a plain request: a subset of HTTP/1.1 that is so strict that no two parsers can read it differently.
 * Node.js's own parser reads every other request.
 *
 * | part | accepted | section of RFC 9112 |
 * | --- | --- | --- |
 * | line ends | CR LF; no bare CR or LF | 2.2 |
 * | before the request line | nothing, also no empty line | 2.2 |
 * | request line | method SP target SP `HTTP/1.1`; single spaces | 3 |
 * | method | `DELETE`, `GET`, `HEAD`, `OPTIONS`, `PATCH`, `POST`, `PUT` | 3.1 |
 * | target | origin-form: `/`, then visible ASCII without `#` | 3.2.1 |
 * | header | token `:` value; no space before the colon | 5.1 |
 * | value | visible ASCII, space and tab; may be empty; surrounding spaces and tabs are removed | 5 |
 * | folded lines | none | 5.2 |
 * | `Host` | exactly one | 3.2 |
 * | `Content-Length` | at most one: one to nine digits, no leading zero | 6.2 |
 * | `Transfer-Encoding` | none | 6.1 |
 * | `Connection` | at most one, with the value `keep-alive` | 9.3 |
 * | `Upgrade`, `Expect`, `Trailer`, `TE`, `Proxy-Connection` | none | 7.8, 7.1.2, 7.4 |
 * | body | `Content-Length` bytes, or none | 6.3 |
 * | size | at most 8 KiB and 100 headers | 2.3 |
 */

import type { IncomingHttpHeaders } from 'node:http';

/** The head of a plain request. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly fields: Fields;
  /** The position of the body in the text. */
  readonly end: number;
}

/** The headers of a plain request. A client often repeats them, so a connection keeps those of its last request. */
export interface Fields {
  /** The lines as they have arrived. */
  readonly block: string;
  /** Names and values in turns, as in `req.rawHeaders`. */
  readonly list: readonly string[];
  /** The length of the body in bytes; 0 without `Content-Length`. */
  readonly bodyLength: number;
  /** What Node.js made of them as `req.headers`, if they were repeated. */
  headers?: IncomingHttpHeaders | undefined;
}

/** The maximum length of a head in bytes. Node.js accepts longer ones. */
export const MAX_HEAD = 8192;
const MAX_FIELDS = 100;

const METHODS = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);
const VERSION = ' HTTP/1.1';
const TARGET = /^\/[!"$-~]*$/;
const FIELDS = /^(?:[\w!#$%&'*+.^`|~-]+:[\t -~]*\r\n)+$/;
const LENGTH = /^(?:0|[1-9]\d{0,8})$/;

/**
 * Reads the head of a request at the begin of a text.
 *
 * @param text Bytes in Latin-1.
 * @param last The headers of the last request of the connection.
 * @returns Undefined if the head is not plain, or not complete.
 */
export function readHead(text: string, last: Fields | undefined): RequestHead | undefined {
  const lineEnd = text.indexOf('\r\n');
  const end = text.indexOf('\r\n\r\n', lineEnd);
  if (lineEnd === -1 || end === -1) return undefined;
  const space = text.indexOf(' ');
  const method = text.slice(0, space);
  const target = text.slice(space + 1, lineEnd - VERSION.length);
  if (!METHODS.has(method) || !TARGET.test(target) || !text.startsWith(VERSION, space + 1 + target.length))
    return undefined;
  const block = text.slice(lineEnd + 2, end + 2);
  const fields = block === last?.block ? last : parseFields(block);
  return fields && { method, target, fields, end: end + 4 };
}

function parseFields(block: string): Fields | undefined {
  if (!FIELDS.test(block)) return undefined;
  const list: string[] = [];
  let hosts = 0;
  let connections = 0;
  let length: string | undefined;
  for (let at = 0; at < block.length; ) {
    const colon = block.indexOf(':', at);
    const lineEnd = block.indexOf('\r\n', colon);
    const name = block.slice(at, colon);
    // Only spaces and tabs: the value contains no other white space.
    const value = block.slice(colon + 1, lineEnd).trim();
    list.push(name, value);
    at = lineEnd + 2;
    switch (name.toLowerCase()) {
      case 'host':
        hosts++;
        break;
      case 'connection':
        if (value.toLowerCase() !== 'keep-alive' || ++connections > 1) return undefined;
        break;
      case 'content-length':
        if (length !== undefined || !LENGTH.test(value)) return undefined;
        length = value;
        break;
      case 'transfer-encoding':
      case 'upgrade':
      case 'expect':
      case 'trailer':
      case 'te':
      case 'proxy-connection':
        return undefined;
    }
  }
  if (hosts !== 1 || list.length > 2 * MAX_FIELDS) return undefined;
  return { block, list, bodyLength: Number(length ?? 0) };
}
