/** Creates requests without a socket, to read members of an application's prototypes. */
import express from 'express';
import framework from 'nozomi';

export type App = ReturnType<typeof framework>;
export type Request = App['request'];

export interface Given {
  method?: string;
  url?: string;
  /** The request headers, with names in lower case. Default: none. */
  headers?: Readonly<Record<string, string | undefined>>;
  peer?: string;
  encrypted?: boolean;
  status?: number;
  /** The headers of the response, with names in lower case. Default: none. */
  answered?: Readonly<Record<string, string>>;
}

/** @returns A request with the prototype of `app`, and a response as `req.res`. */
export function lightRequest(app: App, given: Given): Request {
  const { method = 'GET', url = '/', headers = {}, peer = '127.0.0.1', encrypted = false } = given;
  const { status = 200, answered = {} } = given;
  const socket = { remoteAddress: peer, encrypted };
  const res = own(app.response, {
    statusCode: status,
    getHeader: (name: string) => answered[name.toLowerCase()],
  });
  return own(app.request, { method, url, headers, socket, connection: socket, res });
}

/** Calls a function with an application of each implementation. @returns Both results. */
export function askBoth<T>(ask: (app: App) => T): { ours: T; theirs: T } {
  return { ours: ask(framework()), theirs: ask(express() as unknown as App) };
}

function own<T extends object>(prototype: T, members: object): T {
  return Object.create(prototype, Object.getOwnPropertyDescriptors(members)) as T;
}
