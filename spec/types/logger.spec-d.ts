// Types of the logger, under the names of @types/morgan.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expectTypeOf } from 'expect-type';
import framework, { type Request, type Response } from 'nozomi';
import logger, { compile, format, token } from 'nozomi/logger';

const app = framework();

app.use(logger('dev'));
app.use(
  logger('combined', { immediate: true, skip: (req) => req.method === 'HEAD', stream: process.stdout }),
);
app.use(logger(':method :url', { stream: { write: (line) => expectTypeOf(line).toEqualTypeOf<string>() } }));
app.use(logger((tokens, req, res) => [tokens.method?.(req, res), tokens.url?.(req, res)].join(' ')));
app.use(logger(() => null));
app.use(framework.logger('tiny'));
app.use(
  logger<Request, Response>((_tokens, req, res) => {
    expectTypeOf(req).toMatchTypeOf<Request>();
    expectTypeOf(res).toMatchTypeOf<Response>();
    return undefined;
  }),
);

const log = logger('common');
createServer((req, res) => {
  log(req, res, (err) => res.end(String(err)));
});

logger.token('id', (req, _res, argument) => {
  expectTypeOf(req).toMatchTypeOf<IncomingMessage>();
  expectTypeOf(argument).toMatchTypeOf<string | number | boolean | undefined>();
  return 'x';
});
logger.token<Request, Response>('ip', (req) => req.ip);
logger.format('short-one', ':method');
expectTypeOf(logger.compile(':method')).toMatchTypeOf<logger.FormatFn>();
expectTypeOf(compile).toEqualTypeOf(logger.compile);
expectTypeOf(format).toEqualTypeOf(logger.format);
expectTypeOf(token).toEqualTypeOf(logger.token);

const options: logger.Options<IncomingMessage, ServerResponse> = { immediate: false };
const stream: logger.StreamOptions = { write: () => undefined };
app.use(logger('tiny', { ...options, stream }));
declare const indexer: logger.TokenIndexer;
expectTypeOf(indexer.method).toMatchTypeOf<logger.TokenCallbackFn | undefined>();
app.use(
  logger<Request, Response>('json', {
    fields: (req, res) => ({ tenant: req.get('X-Tenant'), user: res.locals.user }),
    redact: ['remoteAddress', 'query.token'],
  }),
);
app.use(logger('ecs', { redact: { paths: ['url.*'], censor: '***', remove: false } }));
// @ts-expect-error the paths are a list
logger('json', { redact: 'query.token' });
// @ts-expect-error the fields are an object
logger('json', { fields: () => 'tenant' });
// @ts-expect-error the callback is missing
logger.token('name');
// @ts-expect-error the option does not exist
logger('dev', { colour: true });
