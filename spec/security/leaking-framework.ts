/** Express with faults that the fuzzer must find: `res.send()` leaves an open file, a listener and a request in memory. */
import { openSync } from 'node:fs';
import framework, { type Request } from 'express';

const { send } = framework.response;
const kept: Request[] = [];

framework.response.send = function sendWithLeaks(body: unknown) {
  openSync(__filename, 'r');
  for (const _each of [1, 2, 3, 4]) this.socket?.on('timeout', () => {});
  process.on('message', () => {});
  kept.push(this.req);
  return Reflect.apply(send, this, [body]);
};

module.exports = framework;
