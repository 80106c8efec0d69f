/** Finds the request listener of what a scenario built, on every runtime. */
import { type RequestListener, Server } from 'node:http';
import type { Built } from '../scenario/scenario';

/** Returns the request listener of a server that a scenario created; an application or a listener itself. */
export function listenerOf(built: Built): RequestListener {
  if (!(built instanceof Server)) return built;
  const [listener, ...others] = built.listeners('request');
  if (!listener || others.length > 0)
    throw new TypeError('the server of the scenario must have exactly one request listener');
  return listener as RequestListener;
}
