/** `nozomi-parity routes`: lists the routes and the middleware of an application in the order in which they run. */
import { METHODS } from 'node:http';
import { formatTree, treeToJson } from '../inspect/format';
import { inspectApplication } from '../inspect/inspect';
import { type Command, onlyFile, subcommand } from './subcommand';

const ROUTES_HELP = `Prints every route and middleware of an application in the order in which they run:

  nozomi-parity routes app.js                             a tree: methods, full path, handlers, file and line
  nozomi-parity routes app.js --match 'GET /users/42'     the handlers of this request in order, and why the others do not run
  nozomi-parity routes app.js -- --port 80                with arguments of the application

Loads the application as node would, with your environment; its listen() gets a free port. The application may use
Express 4 or 5 or Nozomi, CommonJS, ES modules or TypeScript. --match runs the router, but no handler.

  --json                    JSON for other tools
  --match '<method> <path>' the default method is GET
  --help

Exit code: 0, or 2 if the application does not start.
`;

export const routes: Command = subcommand({
  name: 'routes',
  help: ROUTES_HELP,
  options: { json: { type: 'boolean', default: false }, match: { type: 'string' } },
  async run({ values, positionals, behind }) {
    const match = values.match === undefined ? undefined : readMatch(values.match);
    const file = onlyFile(positionals, 'routes');
    const inspection = await inspectApplication({
      file,
      args: behind,
      isDoctor: false,
      ...(match && { match }),
    });
    process.stdout.write(values.json ? treeToJson(inspection, file) : formatTree(inspection, file));
    return 0;
  },
});

function readMatch(text: string): { method: string; target: string } {
  const [, given = 'GET', target] = /^\s*(?:([A-Za-z-]+)\s+)?([/*]\S*)\s*$/.exec(text) ?? [];
  const method = given.toUpperCase();
  if (target === undefined || !METHODS.includes(method))
    throw new TypeError(`--match: expected a method and a path, such as 'GET /users/42', got "${text}"`);
  return { method, target };
}
