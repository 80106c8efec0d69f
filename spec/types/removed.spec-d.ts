// The types mark members that Express 5 removed as errors. The message names the replacement (§4).
import { expectTypeOf } from 'expect-type';
import type { Request, RequestHandler, Response } from 'nozomi';
import framework from 'nozomi';

const app = framework();
declare const req: Request;
declare const res: Response;

expectTypeOf<Parameters<typeof app.del>[0]>().toExtend<string>();

const handler: RequestHandler = (_req, out) => out.end();

// @ts-expect-error removed: use app.delete(path, ...handlers)
app.del('/', handler);
// @ts-expect-error removed: use app.router
app.lazyrouter();
// @ts-expect-error removed: use req.params, req.body or req.query
req.param('id');
// @ts-expect-error removed: use req.params, req.body or req.query
req.param('id', 'none');
// @ts-expect-error removed: use req.acceptsCharsets()
req.acceptsCharset('utf-8');
// @ts-expect-error removed: use req.acceptsEncodings()
req.acceptsEncoding('gzip');
// @ts-expect-error removed: use req.acceptsLanguages()
req.acceptsLanguage('en');
// @ts-expect-error removed: use res.sendFile(path), absolute or with root
res.sendfile('a.html');
// @ts-expect-error removed: use res.status(status).send(body)
res.send(404, 'none');
// @ts-expect-error removed: use res.status(status).json(body)
res.json(404, {});
// @ts-expect-error removed: use res.redirect(status, url)
res.redirect('/', 301);
