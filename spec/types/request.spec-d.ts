// Types of the request (§2.6, §4.4).
import type { Socket } from 'node:net';
import { expectTypeOf } from 'expect-type';
import type { Application, NextFunction, Request, Response } from 'nozomi';

declare const req: Request;

expectTypeOf(req.app).toMatchTypeOf<Application>();
expectTypeOf(req.baseUrl).toEqualTypeOf<string>();
expectTypeOf(req.fresh).toEqualTypeOf<boolean>();
expectTypeOf(req.stale).toEqualTypeOf<boolean>();
expectTypeOf(req.host).toEqualTypeOf<string>();
expectTypeOf(req.hostname).toEqualTypeOf<string>();
expectTypeOf(req.ip).toEqualTypeOf<string | undefined>();
expectTypeOf(req.ips).toEqualTypeOf<string[]>();
expectTypeOf(req.method).toEqualTypeOf<string>();
expectTypeOf(req.originalUrl).toEqualTypeOf<string>();
expectTypeOf(req.path).toEqualTypeOf<string>();
expectTypeOf(req.protocol).toEqualTypeOf<string>();
expectTypeOf(req.secure).toEqualTypeOf<boolean>();
expectTypeOf(req.subdomains).toEqualTypeOf<string[]>();
expectTypeOf(req.url).toEqualTypeOf<string>();
expectTypeOf(req.xhr).toEqualTypeOf<boolean>();
expectTypeOf(req.route).toBeAny();
expectTypeOf(req.res).toMatchTypeOf<Response | undefined>();
expectTypeOf(req.next).toEqualTypeOf<NextFunction | undefined | Request['next']>();
expectTypeOf(req.socket).toEqualTypeOf<Socket>();

expectTypeOf(req.get('Host')).toEqualTypeOf<string | undefined>();
expectTypeOf(req.get('set-cookie')).toEqualTypeOf<string[] | undefined>();
expectTypeOf(req.header('Host')).toEqualTypeOf<string | undefined>();
expectTypeOf(req.accepts()).toEqualTypeOf<string[]>();
expectTypeOf(req.accepts('html')).toEqualTypeOf<string | false>();
expectTypeOf(req.accepts('html', 'json')).toEqualTypeOf<string | false>();
expectTypeOf(req.accepts(['html', 'json'])).toEqualTypeOf<string | false>();
expectTypeOf(req.acceptsCharsets('utf-8')).toEqualTypeOf<string | false>();
expectTypeOf(req.acceptsEncodings('gzip', 'br')).toEqualTypeOf<string | false>();
expectTypeOf(req.acceptsLanguages()).toEqualTypeOf<string[]>();
expectTypeOf(req.is('json')).toEqualTypeOf<string | false | null>();
expectTypeOf(req.is(['json', 'html'])).toEqualTypeOf<string | false | null>();

const ranges = req.range(1000, { combine: true });
if (ranges && ranges !== -1 && ranges !== -2) {
  expectTypeOf(ranges.type).toEqualTypeOf<string>();
  for (const { start, end } of ranges) expectTypeOf([start, end]).toEqualTypeOf<number[]>();
}

// @ts-expect-error the property is read-only
req.ip = '::1';
// @ts-expect-error the property is read-only
req.fresh = true;
// @ts-expect-error the name is missing
req.get();
