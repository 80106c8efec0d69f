/** Finds multer where it loses the async context of an earlier handler, so that AsyncLocalStorage is empty after it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { covers, shapesOf } from '../cover';
import { sourceOf } from '../handlers';
import type { LiveApplication } from '../live';
import type { Finding } from '../model';
import { type LiveNode, walkTree } from '../tree';
import { CODES } from './codes';
import { followingOf, functionsOf, type NamedFunction, precedingOf } from './functions';

type Middleware = (req: unknown, res: unknown, next: () => void) => unknown;

/** A form with one field. Multer calls no function of the application for it. */
const FORM = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n';
/** How many milliseconds to wait until a middleware calls `next()`. */
const PATIENCE = 1000;

/** Code that continues in a context: `storage.run(store, next)`, `storage.run({ id: f() }, () => next())`, `enterWith`. */
const SETS = /\.enterWith\(|\.run\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*?\bnext\b/;
const READS = /\.getStore\(/;

export async function findLostContexts({ roots }: LiveApplication): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const node of roots.flatMap((root) => [...walkTree(root)])) {
    const functions = functionsOf(node);
    for (const [index, { handle, name, site }] of functions.entries()) {
      const before = handle.name === 'multerMiddleware' ? setterBefore(node) : undefined;
      if (!before || !(await losesContext(handle as Middleware))) continue;
      const after =
        node.kind === 'route' ? functions.slice(index + 1) : followingOf(node).flatMap(functionsOf);
      findings.push({
        code: CODES.contextLost.code,
        severity: after.some((one) => contains(one, READS)) ? 'warning' : 'note',
        message: `${name} loses the async context that ${before.name} sets: AsyncLocalStorage is empty in the handlers after it`,
        site,
      });
    }
  }
  return findings;
}

/** Finds the handler before a node that continues each of its requests in an async context. */
function setterBefore(node: LiveNode): NamedFunction | undefined {
  return precedingOf(node)
    .filter((earlier) => covers(shapesOf(earlier), shapesOf(node)))
    .flatMap(functionsOf)
    .find((one) => contains(one, SETS));
}

function contains({ handle }: NamedFunction, pattern: RegExp): boolean {
  return pattern.test(sourceOf(handle)?.body ?? '');
}

/** Whether a middleware calls `next` outside of the context of its own call, if the body arrives after the headers. */
function losesContext(handle: Middleware): Promise<boolean> {
  const storage = new AsyncLocalStorage<true>();
  const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': `${FORM.length}` };
  const req = Object.assign(new Readable({ read() {} }), { method: 'POST', url: '/', headers });
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE, false);
    const next = (): void => {
      clearTimeout(timer);
      resolve(storage.getStore() === undefined);
    };
    storage.run(true, () => handle(req, {}, next));
    // In a later turn, when the middleware already reads.
    setImmediate(() => {
      req.push(FORM);
      req.push(null);
    });
  });
}
