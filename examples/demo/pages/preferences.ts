// Handles the preferences form at the bottom of each page.
import type { Desk } from '../desk/desk';
import type { Framework, Router } from '../framework';
import { localPath, oneOf, requireFields } from '../web/fields';
import { remember, themes } from '../web/preferences';

export function preferencesRouter(framework: Framework, desk: Desk): Router {
  const router = framework.Router();

  router.post(
    '/',
    framework.urlencoded({ extended: false, limit: '1kb', parameterLimit: 10 }),
    (req, res) => {
      const { theme, back } = requireFields({ theme: oneOf(themes), back: localPath() }, req.body);
      remember(req, res, 'theme', theme, desk.now());
      res.redirect(303, back);
    },
  );

  return router;
}
