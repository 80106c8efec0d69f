/** Express with a fault that the fuzzer must find: `res.send()` adds a header. */
import framework from 'express';

const { send } = framework.response;

framework.response.send = function sendWithFault(body: unknown) {
  this.setHeader('X-Fault', '1');
  return Reflect.apply(send, this, [body]);
};

module.exports = framework;
