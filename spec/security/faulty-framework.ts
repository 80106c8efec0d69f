/** This build with one fault, for the fuzzer to find: a field with a comma is cut there. */
import framework from 'nozomi';

const { get } = framework.request;

framework.request.get = function cut(this: typeof framework.request, name: string) {
  const value = Reflect.apply(get, this, [name]) as unknown;
  return typeof value === 'string' && name === 'Host' ? value.split(',')[0] : value;
} as typeof get;

module.exports = framework;
