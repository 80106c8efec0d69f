/** Loads Express 3 for a comparison in this process. */
import { ServerResponse } from 'node:http';

/**
 * Loads Express 3, and takes back what it changes in the prototype of responses: other specs need those of Node.js.
 * Without these changes, Express 3 does not join several `Set-Cookie` headers and emits no event `header`.
 */
export function loadExpress3(): unknown {
  const properties = Object.getOwnPropertyDescriptors(ServerResponse.prototype);
  const express3: unknown = require('express3');
  for (const name of Reflect.ownKeys(ServerResponse.prototype))
    if (!Object.hasOwn(properties, name)) Reflect.deleteProperty(ServerResponse.prototype, name);
  Object.defineProperties(ServerResponse.prototype, properties);
  return express3;
}
