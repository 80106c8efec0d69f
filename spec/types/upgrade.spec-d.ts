// Types of `upgrade` and `onUpgrade`.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { expectTypeOf } from 'expect-type';
import framework, { type Request } from 'nozomi';
import framework3 from 'nozomi/3';
import framework4 from 'nozomi/4';
import { onUpgrade, upgrade } from 'nozomi/extras';
import { createServer as createHttp2Server, type Server as Http2Server } from 'nozomi/http2';

const app = framework();

expectTypeOf(upgrade(app.listen(0), app)).toEqualTypeOf<Server>();
expectTypeOf(upgrade(createHttp2Server({}, app), app)).toEqualTypeOf<Http2Server>();
upgrade(createServer(), framework4(), { protocols: ['websocket', 'mqtt'] });
upgrade(createServer(), (_req: IncomingMessage) => undefined);
// @ts-expect-error the application is missing
upgrade(createServer());
// @ts-expect-error protocols are a list
upgrade(createServer(), app, { protocols: 'websocket' });

app.get(
  '/rooms/:room',
  onUpgrade((req, socket, head) => {
    expectTypeOf(req.params).toEqualTypeOf<Request['params']>();
    expectTypeOf(socket).toEqualTypeOf<Duplex>();
    expectTypeOf(head).toEqualTypeOf<Buffer>();
  }),
);
app.use(onUpgrade<IncomingMessage>(async (req) => expectTypeOf(req).toEqualTypeOf<IncomingMessage>()));
framework4().get(
  '/',
  onUpgrade(() => undefined),
);
framework3().get(
  '/',
  onUpgrade(() => undefined),
);
// @ts-expect-error the handler is missing
onUpgrade();
