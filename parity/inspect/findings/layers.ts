/** Finds handlers that cannot work where they are registered: wrong functions, wrong paths, wrong order, or no end. */
import { mayPassOn, sourceOf } from '../handlers';
import type { LiveApplication } from '../live';
import type { Finding } from '../model';
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

export function findMisplaced({ roots, registrations }: LiveApplication): Finding[] {
  const nodes = roots.flatMap((root) => [...walkTree(root)]);
  const missing = registrations.missing.map(
    ({ reason, site }): Finding => ({
      code: CODES.handlerMissing.code,
      severity: 'warning',
      site,
      message: `a handler is undefined, or no function: ${reason}`,
      fix: 'check that the name is exported and spelled alike, and that the modules do not load each other in a circle',
    }),
  );
  return [...missing, ...nodes.flatMap(findSlash), ...nodes.flatMap(findErrorsFirst), ...notCalled()];

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
                fix: `call it: ${isKnown ? 'express.' : ''}${shown}()`,
              },
            ];
          }),
    );
  }
}

function findSlash({ layer, site, kind }: LiveNode): Finding[] {
  const paths = layer ? [pathOf(layer)].flat(Number.POSITIVE_INFINITY) : [];
  return paths.flatMap((path): Finding[] => {
    if (typeof path !== 'string' || !/^[\w:.-]/.test(path)) return [];
    return [
      {
        code: CODES.pathWithoutSlash.code,
        severity: 'warning',
        site,
        message: `"${path}" matches no request: the path of a ${kind === 'route' ? 'route' : 'mount'} begins with a slash`,
        fix: `write "/${path}"`,
      },
    ];
  });
}

// Source of a handler for the errors of body parsers, which belongs before the routes.
const FOR_PARSERS = /SyntaxError|entity\.|\btype\b|\bbody\b|\bnext\(\s*\w/;

function findErrorsFirst(node: LiveNode): Finding[] {
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
      fix: 'register it after all routes',
    },
  ];
}

/** Uses of a response that do not end it. */
const HARMLESS =
  /^\.(?:locals|set|setHeader|header|cookie|clearCookie|vary|append|status|statusCode|type|contentType|links)\b/;

export function findHanging({ roots }: LiveApplication): Finding[] {
  const seen = new Set<unknown>();
  return roots.flatMap((root) =>
    [...walkTree(root)].flatMap((node) =>
      node.kind === 'error handler'
        ? []
        : functionsOf(node).flatMap(({ handle, name, site }): Finding[] => {
            if (seen.has(handle) || !hangs(handle)) return [];
            seen.add(handle);
            return [
              {
                code: CODES.neverEnds.code,
                severity: 'warning',
                site,
                message: `${name} neither responds nor calls next: each request that reaches it hangs`,
                fix: node.kind === 'route' ? 'respond, or call next()' : 'call next() at its end',
              },
            ];
          }),
    ),
  );
}

/** Source of a handler that may end the request in another way, such as `res.status(404).send()`, or be meant to wait. */
const MAY_END = /\b(?:arguments|eval|throw|this|await)\b|\.(?:next|res)\b|\.(?:on|once)\(|\)\s*\.\s*\w/;

function hangs(handle: (...args: never[]) => unknown): boolean {
  const source = sourceOf(handle);
  if (!source || (handle.length !== 2 && handle.length !== 3) || source.params.length !== handle.length)
    return false;
  const [, response = '', next = 'next'] = source.params;
  if (!source.params.every((name) => /^[\w$]+$/.test(name)) || mayPassOn(handle)) return false;
  const names = (name: string): RegExp =>
    new RegExp(`(?<![\\w$.])${name.replace(/\$/g, '\\$')}(?![\\w$])`, 'g');
  if (names(next).test(source.body) || MAY_END.test(source.body)) return false;
  return [...source.body.matchAll(names(response))].every(({ index }) =>
    HARMLESS.test(source.body.slice(index + response.length)),
  );
}
