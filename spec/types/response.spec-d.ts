// Types of the response (§2.7, §4.5).
import { expectTypeOf } from 'expect-type';
import type { Application, CookieOptions, Request, Response } from 'nozomi';

declare const res: Response;

expectTypeOf(res.app).toMatchTypeOf<Application>();
expectTypeOf(res.req).toMatchTypeOf<Request>();
expectTypeOf(res.headersSent).toEqualTypeOf<boolean>();
expectTypeOf(res.locals).toMatchTypeOf<Record<string, any>>();

expectTypeOf(res.status(200)).toEqualTypeOf(res);
expectTypeOf(res.sendStatus(404)).toEqualTypeOf(res);
expectTypeOf(res.send('x')).toEqualTypeOf(res);
expectTypeOf(res.send(Buffer.from('x'))).toEqualTypeOf(res);
expectTypeOf(res.send()).toEqualTypeOf(res);
expectTypeOf(res.json({ a: 1 })).toEqualTypeOf(res);
expectTypeOf(res.json(null)).toEqualTypeOf(res);
expectTypeOf(res.jsonp([1])).toEqualTypeOf(res);
expectTypeOf(res.set('X-A', 'b')).toEqualTypeOf(res);
expectTypeOf(res.set({ 'X-A': 'b' })).toEqualTypeOf(res);
expectTypeOf(res.set('X-A', ['b', 'c'])).toEqualTypeOf(res);
expectTypeOf(res.header('X-A', 'b')).toEqualTypeOf(res);
expectTypeOf(res.get('X-A')).toEqualTypeOf<string | undefined>();
expectTypeOf(res.append('Link', ['a', 'b'])).toEqualTypeOf(res);
expectTypeOf(res.type('html')).toEqualTypeOf(res);
expectTypeOf(res.contentType('html')).toEqualTypeOf(res);
expectTypeOf(res.links({ next: '/2' })).toEqualTypeOf(res);
expectTypeOf(res.vary('Accept')).toEqualTypeOf(res);
expectTypeOf(res.attachment()).toEqualTypeOf(res);
expectTypeOf(res.attachment('a.txt')).toEqualTypeOf(res);
expectTypeOf(res.location('/x')).toEqualTypeOf(res);
expectTypeOf(res.redirect('/x')).toEqualTypeOf<void>();
expectTypeOf(res.redirect(301, '/x')).toEqualTypeOf<void>();
expectTypeOf(res.cookie('a', 'b')).toEqualTypeOf(res);
expectTypeOf(res.cookie('a', { b: 1 }, { signed: true, maxAge: 1000 })).toEqualTypeOf(res);
expectTypeOf(res.clearCookie('a', { path: '/x' })).toEqualTypeOf(res);
expectTypeOf(res.sendFile('/a.txt')).toEqualTypeOf<void>();
expectTypeOf(
  res.sendFile('a.txt', { root: '/', dotfiles: 'allow' }, (err) => err?.message),
).toEqualTypeOf<void>();
expectTypeOf(res.download('/a.txt')).toEqualTypeOf<void>();
expectTypeOf(res.download('/a.txt', 'b.txt', { maxAge: '1d' }, () => undefined)).toEqualTypeOf<void>();
expectTypeOf(res.render('view')).toEqualTypeOf<void>();
expectTypeOf(res.render('view', { a: 1 }, (_err, html) => html.length)).toEqualTypeOf<void>();
expectTypeOf(res.format({ text: () => undefined, default: () => undefined })).toEqualTypeOf(res);

expectTypeOf<CookieOptions>().toMatchTypeOf<{
  domain?: string | undefined;
  httpOnly?: boolean | undefined;
  sameSite?: boolean | 'lax' | 'strict' | 'none' | undefined;
}>();

// @ts-expect-error the status must be a number
res.status('200');
// @ts-expect-error the target is missing
res.redirect();
// @ts-expect-error the value of SameSite does not exist
res.cookie('a', 'b', { sameSite: 'sometimes' });
// @ts-expect-error the value of dotfiles does not exist
res.sendFile('/a', { dotfiles: 'maybe' });
// @ts-expect-error the target must be a string
res.location(301);
