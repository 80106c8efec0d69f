/** Observes the calls of a response: a second response, a header after it, and arguments that Express does not accept. */
import { CODES } from '../inspect/findings/codes';
import {
  HOST,
  isStatus,
  RESPONDS,
  redirectsWithoutScheme,
  SENDS,
  SETS_HEADER,
} from '../inspect/findings/response-calls';
import { shown } from '../inspect/format';
import type { Site } from '../inspect/model';
import { type AnyFunction, type Methods, type Series, wrap } from '../inspect/registrations';
import type { Note, Notes } from './notes';

interface AnyResponse {
  readonly headersSent: boolean;
  readonly req?: { readonly method?: string | undefined; readonly originalUrl?: string | undefined };
}

/** The call that responded. */
interface Call {
  readonly name: string;
  readonly site: Site | undefined;
}

type Mistake = Pick<Note, 'code' | 'message'>;

const TAKES_BODY = new Set(['send', 'json', 'jsonp']);

/** @param siteOfCall Finds the line of the application that calls a method. */
export function observeResponses(
  response: Methods,
  series: Series,
  notes: Notes,
  siteOfCall: () => Site | undefined,
): void {
  const first = new WeakMap<object, Call>();
  /** The responses of which a method is running: one method calls others. */
  const busy = new Set<object>();
  for (const name of [...RESPONDS, ...SETS_HEADER, 'status']) {
    // `end` is that of Node.js.
    response[name] ??= (Object.getPrototypeOf(response) as Methods)[name] as AnyFunction;
    wrap(response, name, function (method, args) {
      const res = this as AnyResponse;
      if (busy.has(res)) return Reflect.apply(method, res, args);
      const mistake = afterResponse(name, res, first.get(res)) ?? ofArguments(name, args, series);
      const site = mistake || RESPONDS.has(name) ? siteOfCall() : undefined;
      if (mistake) notes.print({ ...mistake, message: `${nameOf(res)}: ${mistake.message}`, site });
      if (RESPONDS.has(name) && !first.has(res)) first.set(res, { name, site });
      busy.add(res);
      try {
        return Reflect.apply(method, res, args);
      } finally {
        busy.delete(res);
      }
    });
  }
}

/** Names a request in a message: `GET /users?page=2`. */
export function nameOf({ req }: Pick<AnyResponse, 'req'>): string {
  return `${req?.method} ${req?.originalUrl}`;
}

function afterResponse(
  name: string,
  { headersSent }: AnyResponse,
  call: Call | undefined,
): Mistake | undefined {
  // `res.send(…); res.end()` does no harm, and nor does a status.
  if (!headersSent || !call || name === 'end' || name === 'status') return undefined;
  const earlier = `res.${call.name}() has responded${call.site ? ` in ${shown(call.site)}` : ''}`;
  if (RESPONDS.has(name))
    return { code: CODES.secondResponse.code, message: `res.${name}() responds again: ${earlier}` };
  if (!SENDS.has(call.name)) return undefined;
  return { code: CODES.headerAfter.code, message: `res.${name}() comes too late: ${earlier}` };
}

function ofArguments(name: string, args: readonly unknown[], series: Series): Mistake | undefined {
  const [value, second] = args;
  if (TAKES_BODY.has(name) && value instanceof Promise)
    return { code: CODES.promiseSent.code, message: `res.${name}() gets a promise: it is sent as {}` };
  if ((name === 'status' || name === 'sendStatus') && (value === undefined || value === null))
    return {
      code: CODES.statusUnknown.code,
      message: `res.${name}(${value}): the status must be an integer`,
    };
  const target = name === 'redirect' ? args.at(-1) : name === 'location' ? value : undefined;
  if (typeof target === 'string' && HOST.test(target))
    return {
      code: CODES.hostWithoutScheme.code,
      message: redirectsWithoutScheme(target),
    };
  if (series !== '5.x') return undefined;
  if (name === 'redirect' && isStatus(second))
    return {
      code: CODES.statusAsBody.code,
      message: `res.redirect(url, ${second}): Express 5 takes the status first`,
    };
  if (name === 'send' && args.length === 1 && isStatus(value))
    return {
      code: CODES.statusAsBody.code,
      message: `res.send(${value}) sends the number as the body: Express 5 takes a status from res.sendStatus()`,
    };
  if (TAKES_BODY.has(name) && args.length === 2 && (isStatus(value) || isStatus(second)))
    return {
      code: CODES.statusAsBody.code,
      message: `res.${name}() gets a status: Express 5 sends the first argument as the body, and ignores the second`,
    };
  return undefined;
}
