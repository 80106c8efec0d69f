/** Requests without a socket, for the members of an application's prototypes. */
import express from 'express';
import framework from 'nozomi';

export type App = ReturnType<typeof framework>;
export type Request = App['request'];

export interface Given {
  method?: string;
  url?: string;
  /** Names in lower case, as in Node.js. */
  headers?: Readonly<Record<string, string | undefined>>;
  peer?: string;
  encrypted?: boolean;
  status?: number;
  /** The current headers of the response; names in lower case. */
  answered?: Readonly<Record<string, string>>;
}

/** A request of an application, with its response. */
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

/** Calls the same function with both implementations, each with an application that `configure` has set up. */
export function askBoth<T>(ask: (app: App) => T): { ours: T; theirs: T } {
  return { ours: ask(framework()), theirs: ask(express() as unknown as App) };
}

function own<T extends object>(prototype: T, members: object): T {
  return Object.create(prototype, Object.getOwnPropertyDescriptors(members)) as T;
}
