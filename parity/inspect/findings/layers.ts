/** Finds handlers that cannot work where they are registered: wrong functions, wrong paths, or wrong order. */
import { changePath, insertAt, moveAfter } from '../changes';
import { argumentAt } from '../expressions';
import { sourceOf } from '../handlers';
import type { LiveApplication } from '../live';
import type { Change, Finding } from '../model';
import type { Registrations } from '../registrations';
import type { Sources } from '../sources';
import { type LiveNode, pathOf, walkTree } from '../tree';
import { CODES } from './codes';
import { followingOf, functionsOf, precedingOf, titleOf } from './functions';

/** Names of functions of packages that make middleware, with their number of parameters. */
const FACTORIES: Readonly<Record<string, number>> = {
  middlewareWrapper: 1,
  session: 1,
  cookieParser: 2,
  compression: 1,
  morgan: 2,
  helmet: 1,
};
/** The names under which applications know some of them. */
const KNOWN_AS: Readonly<Record<string, string>> = { middlewareWrapper: 'cors' };

export function findMisplaced({ roots, registrations, sources }: LiveApplication): Finding[] {
  const nodes = roots.flatMap((root) => [...walkTree(root)]);
  const missing = registrations.missing.map(
    ({ reason, site }): Finding => ({
      code: CODES.handlerMissing.code,
      severity: 'warning',
      site,
      message: `a handler is undefined, or no function: ${reason}`,
    }),
  );
  return [
    ...missing,
    ...nodes.flatMap((node) => findSlash(node, sources)),
    ...nodes.flatMap((node) => findErrorsFirst(node, sources)),
    ...notCalled(),
  ];

  function notCalled(): Finding[] {
    return nodes.flatMap((node) =>
      node.kind === 'error handler'
        ? []
        : functionsOf(node).flatMap(({ handle, name, site }): Finding[] => {
            const isKnown = registrations.factories.has(handle);
            if (!isKnown && (!Object.hasOwn(FACTORIES, name) || handle.length !== FACTORIES[name])) return [];
            const shown = KNOWN_AS[name] ?? name;
            return [
              {
                code: CODES.notCalled.code,
                severity: 'warning',
                site,
                message: `${shown} is registered itself: the call that makes the ${shown === 'Router' ? 'router' : 'middleware'} is missing`,
                change: called(handle, node, registrations, sources),
              },
            ];
          }),
    );
  }
}

/** Adds the parentheses of the call. */
function called(
  handle: unknown,
  { layer, site, handlers }: LiveNode,
  { places }: Registrations,
  sources: Sources,
): Change | undefined {
  const own = [layer, ...handlers.flatMap(({ layers }) => layers)].find((one) => one?.handle === handle);
  const place = own && places.get(own);
  const call = place && sources.callAt(site);
  const argument = call && argumentAt(call.node, place);
  return argument && site
    ? insertAt(sources.file(site.file), argument.end, '()', 'call it: write ()')
    : undefined;
}

function findSlash({ layer, site, kind }: LiveNode, sources: Sources): Finding[] {
  const paths = layer ? [pathOf(layer)].flat(Number.POSITIVE_INFINITY) : [];
  return paths.flatMap((path): Finding[] => {
    if (typeof path !== 'string' || !/^[\w:.-]/.test(path)) return [];
    return [
      {
        code: CODES.pathWithoutSlash.code,
        severity: 'warning',
        site,
        message: `"${path}" matches no request: the path of a ${kind === 'route' ? 'route' : 'mount'} begins with a slash`,
        change: changePath(sources, site, path, `/${path}`),
      },
    ];
  });
}

// Source of a handler for the errors of body parsers, which belongs before the routes.
const FOR_PARSERS = /SyntaxError|entity\.|\btype\b|\bbody\b|\bnext\(\s*\w/;

function findErrorsFirst(node: LiveNode, sources: Sources): Finding[] {
  const { kind, layer, name, site } = node;
  if (kind !== 'error handler' || FOR_PARSERS.test(sourceOf(layer?.handle as never)?.body ?? 'type'))
    return [];
  const following = followingOf(node);
  const [route] = following.filter((one) => one.kind === 'route');
  if (!route || precedingOf(node).some((one) => one.kind === 'route')) return [];
  if (following.some((one) => one.kind === 'error handler')) return [];
  return [
    {
      code: CODES.errorsFirst.code,
      severity: 'warning',
      site,
      message: `${name} gets no error of ${titleOf(route)} and the routes after it: it is registered before them`,
      change: moveAfter(sources, site, following.at(-1)?.site),
    },
  ];
}
