// Types of settings (§2.2). A known name limits the value; any other name accepts any value.
import { expectTypeOf } from 'expect-type';
import framework, { type Application, type SettingsMap } from 'nozomi';
import qs from 'qs';

const app = framework();

app.set('etag', 'strong').set('etag', false).set('query parser', 'extended').set('trust proxy', 1);
app
  .set('trust proxy', ['loopback', '10.0.0.0/8'] as const)
  .set('views', ['a', 'b'])
  .set('env', process.env.NODE_ENV);
app
  .set('strict paths', 'normalize')
  .set('strict host', true)
  .set('json spaces', '\t')
  .set('view engine', 'pug');
app.set('etag', (body) => {
  expectTypeOf(body).toEqualTypeOf<Buffer>();
  return undefined;
});
app.set('query parser', (query) => {
  expectTypeOf(query).toEqualTypeOf<string>();
  return qs.parse(query, { depth: 1 });
});
app.set('trust proxy', (address, hop) => address === '127.0.0.1' && hop < 2);
app.set('json replacer', ['id']).set('json replacer', (_key, value) => value ?? null);
app.set(
  'view',
  class {
    path = '/';
    render(): void {}
  },
);
// @ts-expect-error the value of etag does not exist
app.set('etag', 42);
// @ts-expect-error the value is misspelt
app.set('etag', 'weka');
// @ts-expect-error the value is misspelt
app.set('query parser', 'extend');
// @ts-expect-error the value must be a number of labels
app.set('subdomain offset', '2');
// @ts-expect-error the value must be a boolean
app.set('strict host', 'example.com');
// @ts-expect-error the value of strict paths does not exist
app.set('strict paths', 'normal');
// @ts-expect-error app.set throws for undefined
app.set('strict body limit', undefined);
// @ts-expect-error the value must be a boolean
app.set('web bodies', 'blob');
// @ts-expect-error the value must be a class
app.set('view', 'pug');

// TypeScript cannot check values that are only known at run time.
declare const read: { mode: string; value: unknown; setting: keyof SettingsMap };
app.set('etag', read.mode).set('trust proxy', read.value).set(read.setting, read.value);
app.set(read.mode, 42);

// Names of the application accept any value.
app.set('title', 'My site').set('port', 3000).set('limits', { rate: 5 }).enable('beta').disable('beta');
expectTypeOf(app.get('title')).toBeAny();
expectTypeOf(app.enabled('beta')).toEqualTypeOf<boolean>();
expectTypeOf(app.disabled(read.mode)).toEqualTypeOf<boolean>();

app.enable('etag').disable('x-powered-by').enable('strict paths').enable('trust proxy');
// @ts-expect-error the value must be a directory
app.enable('views');
// @ts-expect-error the value must be a number
app.disable('subdomain offset');

// app.get returns the type of a known setting, otherwise the type of @types/express.
expectTypeOf(app.get('env')).toEqualTypeOf<string>();
expectTypeOf(app.get('x-powered-by')).toEqualTypeOf<string | boolean>();
expectTypeOf(app.get('subdomain offset')).toEqualTypeOf<number>();
expectTypeOf(app.get('view engine')).toEqualTypeOf<string>();
expectTypeOf(app.get('views')).toBeAny();
expectTypeOf(app.get('trust proxy')).toBeAny();
expectTypeOf(app.get('trust proxy fn')).toBeAny();

// The types apply to chained calls too.
expectTypeOf(app.set('env', 'test').get('env')).toEqualTypeOf<string>();
const configure = (given: Application): Application => given.set('etag', 'weak').enable('view cache');
configure(app).get('/', (_req, res) => res.end());
