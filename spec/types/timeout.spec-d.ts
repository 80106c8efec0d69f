// Types of `timeout` and `signal`.
import { createServer } from 'node:http';
import { expectTypeOf } from 'expect-type';
import framework, { type Request } from 'nozomi';
import framework3 from 'nozomi/3';
import framework4 from 'nozomi/4';
import { signal, timeout } from 'nozomi/extras';

const app = framework().use(signal(), timeout(), timeout(1000), timeout('5s', { respond: false }));
app.get('/:id', timeout('5s'), (req) => {
  expectTypeOf(req.params.id).toEqualTypeOf<string>();
  expectTypeOf(req.signal).toEqualTypeOf<AbortSignal>();
  expectTypeOf(req.timedout).toEqualTypeOf<boolean>();
  req.clearTimeout();
});
framework4().use(timeout('5s'), signal());
framework3().use(timeout('5s')).use(signal());
createServer((req, res) => timeout('5s')(req, res, () => undefined));

declare const req: Request;
// @ts-expect-error only Nozomi aborts the signal
req.signal = AbortSignal.abort();
// @ts-expect-error the time is not a date
timeout(new Date());
// @ts-expect-error the option does not exist
timeout('5s', { answer: true });
