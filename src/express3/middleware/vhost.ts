/** `vhost`: an application of its own for some hosts, by vhost. §9.3 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { optional } from './optional';
import type { Middleware, Next } from './types';

export type VirtualServer = ((req: IncomingMessage, res: ServerResponse, next: Next) => void) | Server;

type Library = (hostname: string | RegExp, handle: Middleware) => Middleware;

/** @param hostname `*` in a text stands for any characters, dots among them. */
export function vhost(hostname: string | RegExp, server: VirtualServer): Middleware {
  const library = optional<Library>('vhost', 'vhost', () => require('vhost'));
  const handle = typeof server === 'function' ? server : toHandler(server);
  return library(typeof hostname === 'string' ? toPattern(hostname) : hostname, handle);
}

/** Linear but for several `*`, which are the application's own words. */
function toPattern(hostname: string): RegExp {
  const source = hostname.replace(/[^*\w]/g, '\\$&').replaceAll('*', '(?:.*?)');
  return new RegExp(`^${source}$`, 'i');
}

function toHandler(server: Server): Middleware {
  return (req, res) => {
    server.emit('request', req, res);
  };
}
