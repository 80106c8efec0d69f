// Applications of Express 4 with the types of Express 5: the use of a removed member is an error whose message names
// the replacement. §4
import { expectTypeOf } from 'expect-type';
import type { Request, RequestHandler, Response } from 'nozomi';
import framework from 'nozomi';

const app = framework();
declare const req: Request;
declare const res: Response;

expectTypeOf<Parameters<typeof app.del>[0]>().toExtend<string>();

const handler: RequestHandler = (_req, out) => out.end();

// @ts-expect-error app.delete(path, ...handlers)
app.del('/', handler);
// @ts-expect-error app.router
app.lazyrouter();
// @ts-expect-error req.params, req.body or req.query
req.param('id');
// @ts-expect-error req.params, req.body or req.query
req.param('id', 'none');
// @ts-expect-error req.acceptsCharsets()
req.acceptsCharset('utf-8');
// @ts-expect-error req.acceptsEncodings()
req.acceptsEncoding('gzip');
// @ts-expect-error req.acceptsLanguages()
req.acceptsLanguage('en');
// @ts-expect-error res.sendFile(path), absolute or with root
res.sendfile('a.html');
// @ts-expect-error res.status(status).send(body)
res.send(404, 'none');
// @ts-expect-error res.status(status).json(body)
res.json(404, {});
// @ts-expect-error res.redirect(status, url)
res.redirect('/', 301);
