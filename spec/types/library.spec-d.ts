// Exported values without a type of their own: a library can only publish declarations if each type has a public name.
import framework from 'nozomi';
import express4 from 'nozomi/4';
import * as extras from 'nozomi/extras';
import { fromFetch, toFetch } from 'nozomi/fetch';
import { graceful } from 'nozomi/graceful';
import { createServer } from 'nozomi/http2';
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

export const log = logger('dev');
export const compiled = logger.compile(':method');
export const token = logger.token('id', () => '1');
export const fetchHandler = toFetch(app);
export const mounted = fromFetch(() => new Response('x'));
export const server = createServer({ cleartext: true }, app);
export const close = graceful(app.listen(0));
export const everything = { ...extras };
