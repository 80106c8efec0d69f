/** Express with a fault that the fuzzer must find: `res.send()` leaves a request in memory. */
import framework, { type Request } from 'express';

const { send } = framework.response;
const kept: Request[] = [];

framework.response.send = function sendAndKeep(body: unknown) {
  kept.push(this.req);
  return Reflect.apply(send, this, [body]);
};

module.exports = framework;
