// Types of the framework function and of applications (§2.1, §2.2, §4.1, §4.2).
import type { Server } from 'node:http';
import { expectTypeOf } from 'expect-type';
import framework, { type Application, type Express, json, Router, raw, text, urlencoded } from 'nozomi';

const app = framework();

expectTypeOf(app.set('views', 'x')).toEqualTypeOf(app);
expectTypeOf(app.get('views')).toBeAny();
expectTypeOf(app.enable('etag')).toEqualTypeOf(app);
expectTypeOf(app.disable('etag')).toEqualTypeOf(app);
expectTypeOf(app.enabled('etag')).toEqualTypeOf<boolean>();
expectTypeOf(app.disabled('etag')).toEqualTypeOf<boolean>();
expectTypeOf(app.path()).toEqualTypeOf<string>();
expectTypeOf(app.mountpath).toEqualTypeOf<string | string[]>();
expectTypeOf(app.locals).toMatchTypeOf<Record<string, any>>();
expectTypeOf(app.router).toMatchTypeOf<Router>();
expectTypeOf(app.engine('html', (_path, _options, callback) => callback(null, ''))).toEqualTypeOf(app);
expectTypeOf(app.use(json())).toEqualTypeOf(app);
expectTypeOf(app.all('/', (_req, res) => res.end())).toEqualTypeOf(app);
expectTypeOf(app.listen()).toEqualTypeOf<Server>();
expectTypeOf(app.listen(0)).toEqualTypeOf<Server>();
expectTypeOf(app.listen(0, () => undefined)).toEqualTypeOf<Server>();
expectTypeOf(app.listen(0, (err?: Error) => err?.message)).toEqualTypeOf<Server>();
expectTypeOf(app.listen(0, '127.0.0.1', 10, () => undefined)).toEqualTypeOf<Server>();
expectTypeOf(app.listen('/socket', () => undefined)).toEqualTypeOf<Server>();
app.render('view', (err: Error, html: string) => err?.message ?? html);
app.render('view', { title: 'x' }, (_err, html) => {
  expectTypeOf(html).toEqualTypeOf<string>();
});
app.on('mount', (parent) => {
  expectTypeOf(parent).toMatchTypeOf<Application>();
});
// @ts-expect-error the name is missing
app.set(5, true);
// @ts-expect-error the options must be booleans
Router({ strict: 'yes' });

expectTypeOf(framework).returns.toEqualTypeOf<ReturnType<typeof framework>>();
expectTypeOf(framework()).toMatchTypeOf<Express>();
expectTypeOf(framework.Router).returns.toMatchTypeOf<Router>();
expectTypeOf(framework.json).toEqualTypeOf(json);
expectTypeOf(framework.raw).toEqualTypeOf(raw);
expectTypeOf(framework.text).toEqualTypeOf(text);
expectTypeOf(framework.urlencoded).toEqualTypeOf(urlencoded);
expectTypeOf(framework.application).toMatchTypeOf<Application>();
expectTypeOf(framework.framework).toEqualTypeOf(framework);
expectTypeOf(framework.default).toEqualTypeOf(framework);

Router({ caseSensitive: true, mergeParams: true, strict: undefined });
json({ limit: '1mb', strict: false, type: ['json', 'text/*'], reviver: (_key, value) => value });
raw({
  type: '*/*',
  inflate: false,
  verify: (_req, _res, buffer) => expectTypeOf(buffer).toEqualTypeOf<Buffer>(),
});
text({ defaultCharset: 'latin1', limit: 10 });
urlencoded({ extended: true, parameterLimit: 5 });
framework.static('public', {
  dotfiles: 'deny',
  etag: false,
  extensions: ['html'],
  fallthrough: false,
  immutable: true,
  index: false,
  lastModified: false,
  maxAge: '1d',
  redirect: false,
  setHeaders(res, path) {
    expectTypeOf(path).toEqualTypeOf<string>();
    res.set('X-Path', path);
  },
});
app.use(framework.static('public'));
app.use('/files', framework.static('public', { maxAge: 1000 }));
// @ts-expect-error the option does not exist
framework.static('public', { nope: true });
framework.static('public', { preCompressed: true });
framework.static('public', { preCompressed: ['br', 'gzip'] });
// @ts-expect-error: not a coding of files
framework.static('public', { preCompressed: ['deflate'] });
