// Exported values without a type of their own: a library can only publish declarations if each type has a public name.
import framework from 'nozomi';
import express3 from 'nozomi/3';
import express4 from 'nozomi/4';
import * as extras from 'nozomi/extras';
import { fromFetch, toFetch } from 'nozomi/fetch';
import { graceful } from 'nozomi/graceful';
import { createServer, listen as listenHttp2 } from 'nozomi/http2';
import logger from 'nozomi/logger';

export const app = framework();
export const chain = framework().set('etag', 'weak').use(framework.json()).enable('trust proxy');
export const router = framework.Router({ mergeParams: true }).get('/', (_req, res) => void res.end());
export const constructed = new framework.Router();
export const route = app.route('/').get((_req, res) => void res.end());
export const setting = app.get('etag');
export const parsers = [framework.json(), framework.text(), framework.raw(), framework.urlencoded()];
export const files = framework.static('public');
export const prototypes = [app.request, app.response];
export const { get, set, use, listen } = app;
export const routes = router.listRoutes();
export const framed = { framework, express4 };
export class Service {
  readonly app = framework();
  routes = framework.Router();
}
export function create() {
  return { app: framework(), logger: framework.logger('dev') };
}

export const earlier = express4();
export const earlierChain = express4().set('a', 1).use(express4.json());
export const earlierRouter = express4.Router();
export const earlierRoute = earlier.route('/').get((_req, res) => void res.end());
export const { mime } = express4.static;

export const oldest = express3();
export const oldestChain = express3().set('a', 1).use(express3.bodyParser());
export const oldestRouter = new express3.Router();
export const oldestPrototypes = [express3.request, express3.response, express3.application];
export const middleware = { ...express3, session: express3.session, parser: express3.cookieParser('cat') };
export const served = [oldest.listen(0), earlier.listen(0), app.listen(0)];
export class Oldest {
  readonly app = express3();
  routes = this.app.routes;
}

export const log = logger('dev');
export const compiled = logger.compile(':method');
export const token = logger.token('id', () => '1');
export const fetchHandler = toFetch(app);
export const mounted = fromFetch(() => new Response('x'));
export const server = createServer({ cleartext: true }, app);
export const listening = () => listenHttp2(app, { port: 443, cert: '', key: '' });
export const close = graceful(app.listen(0));
export const everything = { ...extras };
