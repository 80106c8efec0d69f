// The front page of the API. Below /api, pages and errors are sent as JSON.
import type { Desk } from '../desk/desk';
import type { Framework, RequestHandler, Router } from '../framework';
import { lostApi } from './lost-api';

/**
 * Creates middleware that marks requests below /api, so that `reply` sends JSON. It runs before the routers of /api.
 */
export function answersJson(): RequestHandler {
  return (_req, res, next) => {
    res.locals.api = true;
    next();
  };
}

export function apiRouter(framework: Framework, desk: Desk, staffOnly: RequestHandler): Router {
  const router = framework.Router({ caseSensitive: true });

  router.get('/', (req, res) => {
    const at = (path: string): string => `${req.baseUrl}${path}`;
    res.json({
      stations: at('/stations{?q,page,per_page}'),
      board: at('/stations/{station}{?at,limit}'),
      next: at('/stations/{station}/next{?callback}'),
      lines: at('/lines'),
      line: at('/lines/{line}{?direction,page,per_page}'),
      trains: at('/trains{?page,per_page}'),
      train: at('/trains/{train}'),
      lost: at('/lost{?page,per_page}'),
    });
  });

  router.use('/lost', lostApi(framework, desk, staffOnly));
  return router;
}
