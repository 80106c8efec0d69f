/** `vhost`: runs an application for matching host names only. It uses the package vhost. §9.3 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { loadPackage } from './load-package';
import type { Middleware, Next } from './types';

export type VirtualServer = ((req: IncomingMessage, res: ServerResponse, next: Next) => void) | Server;

type Library = (hostname: string | RegExp, handle: Middleware) => Middleware;

/**
 * Creates middleware that passes a request to `server` if its host name matches.
 *
 * @param hostname A regular expression or a string. In a string, `*` matches any characters, including dots.
 */
export function vhost(hostname: string | RegExp, server: VirtualServer): Middleware {
  const library = loadPackage<Library>('vhost', 'vhost', () => require('vhost'));
  const handle = typeof server === 'function' ? server : toHandler(server);
  return library(typeof hostname === 'string' ? toPattern(hostname) : hostname, handle);
}

/** Compiles a host name. Several `*` can take quadratic time: the application writes it, no client. */
function toPattern(hostname: string): RegExp {
  const source = hostname.replace(/[^*\w]/g, '\\$&').replaceAll('*', '(?:.*?)');
  return new RegExp(`^${source}$`, 'i');
}

function toHandler(server: Server): Middleware {
  return (req, res) => {
    server.emit('request', req, res);
  };
}
