// Handlers that fail in different ways, to show the error pages.
import type { Framework, Router } from '../framework';
import { DeskError } from '../web/desk-error';

export function drillRouter(framework: Framework): Router {
  const router = framework.Router();

  router.get('/', (_req, res) => res.render('drill'));

  router.get('/throw', () => {
    throw new Error('The signal at Tōge fell over.');
  });

  router.get('/reject', async () => {
    await Promise.reject(new Error('The signal box at Tōge does not answer.'));
  });

  router.get('/tea', () => {
    throw new DeskError(418, 'The station kettle is short and stout, and does not brew coffee.');
  });

  // Fails after a part of the response was sent. Express can then only close the connection.
  router.get('/late', (_req, res, next) => {
    res.type('text').write('The train now standing at platform 2 ');
    setImmediate(() => next(new Error('The loudspeaker failed.')));
  });

  return router;
}
