/** Finds mistakes in how servers and sessions are set up: a port that is used twice, and cookies that are never sent. */
import { Server as TlsServer } from 'node:tls';
import type { LiveApplication } from '../live';
import type { Finding } from '../model';
import { type LiveNode, walkTree } from '../tree';
import { CODES } from './codes';

/** Secrets of examples and tutorials. */
const EXAMPLES =
  /^(?:keyboard[ -]?cat|secret|my[-_ ]?secret(?:[-_ ]?key)?|your[-_ ]?secret(?:[-_ ]?(?:key|here))?|session[-_ ]?secret|change[-_ ]?me|password|test|1234\d*|abc123?|shh+|cats?|foo|bar|default|supersecret|super[-_ ]secret)$/i;

export function findInServers(live: LiveApplication): Finding[] {
  return [...findListening(live), ...findSecrets(live), ...findUnsentCookies(live)];
}

/** Two servers that listen on one port and address. */
function findListening({ registrations }: LiveApplication): Finding[] {
  const first = new Map<string, (typeof registrations.listens)[number]>();
  return registrations.listens.flatMap((listen): Finding[] => {
    const { place, site, server } = listen;
    const other = place === undefined ? undefined : first.get(place);
    if (place !== undefined && !other) first.set(place, listen);
    if (!other || other.server === server) return [];
    return [
      {
        code: CODES.listensTwice.code,
        severity: 'warning',
        message: `listens on ${place} a second time (first: line ${other.site?.line}): Node.js emits EADDRINUSE`,
        site,
      },
    ];
  });
}

function findSecrets({ registrations }: LiveApplication): Finding[] {
  return [...registrations.sessions.values()].flatMap(({ options, site }): Finding[] => {
    const { secret, keys } = options as { secret?: unknown; keys?: unknown };
    const given = [secret, keys].flat().filter((one): one is string => typeof one === 'string');
    const example = given.find((one) => EXAMPLES.test(one));
    if (example === undefined) return [];
    return [
      {
        code: CODES.exampleSecret.code,
        severity: process.env.NODE_ENV === 'production' ? 'warning' : 'note',
        message: `the secret of the session is "${example}", with NODE_ENV=${process.env.NODE_ENV}: anyone can guess it, and sign cookies`,
        site,
      },
    ];
  });
}

/** Session cookies with `secure` that a server without TLS does not send. */
function findUnsentCookies({ roots, registrations, server }: LiveApplication): Finding[] {
  if (!server || server instanceof TlsServer || /^Http2/.test(server.constructor.name)) return [];
  return roots.flatMap((root) =>
    [...walkTree(root)].flatMap((node): Finding[] => {
      const session = registrations.sessions.get(node.layer?.handle);
      const { cookie, proxy, secure } = Object(session?.options) as Record<string, unknown>;
      const isExpressSession = session?.from === 'express-session';
      const isSecure = isExpressSession ? Object(cookie).secure === true : secure === true;
      if (!session || !isSecure || proxy || trustsProxy(node)) return [];
      return [
        {
          code: CODES.cookieUnsent.code,
          severity: 'warning',
          message: isExpressSession
            ? 'the session cookie has "secure", but the server does not speak TLS, and "trust proxy" is not set: the cookie is never sent, so each request has a new session'
            : 'the session cookie has "secure", but the server does not speak TLS, and "trust proxy" is not set: setting it throws',
          site: session.site ?? node.site,
        },
      ];
    }),
  );
}

function trustsProxy(node: LiveNode): boolean {
  return (
    Boolean(node.application?.settings['trust proxy']) || (node.parent ? trustsProxy(node.parent) : false)
  );
}
