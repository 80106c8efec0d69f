/** `vhost`: runs an application for some host names, by the package vhost. §9.3 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { optional } from './optional';
import type { Middleware, Next } from './types';

export type VirtualServer = ((req: IncomingMessage, res: ServerResponse, next: Next) => void) | Server;

type Library = (hostname: string | RegExp, handle: Middleware) => Middleware;

/** @param hostname In a string, `*` matches any characters, also dots. */
export function vhost(hostname: string | RegExp, server: VirtualServer): Middleware {
  const library = optional<Library>('vhost', 'vhost', () => require('vhost'));
  const handle = typeof server === 'function' ? server : toHandler(server);
  return library(typeof hostname === 'string' ? toPattern(hostname) : hostname, handle);
}

/** The pattern of a host name. It is linear, except for several `*`; the application writes them, not a client. */
function toPattern(hostname: string): RegExp {
  const source = hostname.replace(/[^*\w]/g, '\\$&').replaceAll('*', '(?:.*?)');
  return new RegExp(`^${source}$`, 'i');
}

function toHandler(server: Server): Middleware {
  return (req, res) => {
    server.emit('request', req, res);
  };
}
