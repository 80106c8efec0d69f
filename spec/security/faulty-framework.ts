/** Express with one fault, for the fuzzer to find: the status 418 becomes 400. */
import framework from 'express';

const { status } = framework.response;

framework.response.status = function cut(code: number) {
  return Reflect.apply(status, this, [code === 418 ? 400 : code]);
};

module.exports = framework;
