/** Express with faults that the fuzzer must find: `res.send()` leaves an open file and listeners. */
import { openSync } from 'node:fs';
import framework from 'express';

const { send } = framework.response;

framework.response.send = function sendWithLeaks(body: unknown) {
  openSync(__filename, 'r');
  for (const _each of [1, 2, 3, 4]) this.socket?.on('timeout', () => {});
  process.on('message', () => {});
  return Reflect.apply(send, this, [body]);
};

module.exports = framework;
