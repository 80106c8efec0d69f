/** Reads the applications and routers of a process, once their routes are registered. */
import type { HttpServer } from '../implementations/load';
import type { Expressions } from './expressions';
import type { Pending } from './pending';
import { isApplication, type Registrations } from './registrations';
import { isContainer, type LiveNode, TreeReader, walkTree } from './tree';

/** Milliseconds without a new route or middleware after which the application counts as fully set up. */
const QUIET = 250;
/** Milliseconds that the command waits for timers and connections of the application. */
const MAX_WAIT = 5000;

interface Setup {
  readonly server: HttpServer | undefined;
  readonly registrations: Registrations;
  /** The folder that contains the application's package.json. */
  readonly home: string;
  readonly expressions: Expressions;
}

/** Waits until no route was added for a while, and the application waits for nothing that may add one. */
export async function settled(registrations: Registrations, pending: Pending): Promise<void> {
  const start = performance.now();
  const isWaiting = (): boolean => !pending.isEmpty && performance.now() - start < MAX_WAIT;
  while (performance.now() - registrations.last < QUIET || isWaiting()) {
    // An interval does not count as something that the application waits for.
    await new Promise<void>((settle) => {
      const timer = setInterval(() => {
        clearInterval(timer);
        settle();
      }, QUIET / 5);
    });
  }
  pending.stop();
}

/**
 * Reads the application or router that the server calls, then the other applications that are not mounted. Omits those
 * without layers of their own, unless none has any.
 */
export function readRoots({ server, registrations, home, expressions }: Setup): LiveNode[] {
  const reader = new TreeReader(registrations, expressions);
  const [served] = server?.listeners('request') ?? [];
  const isServed =
    typeof served === 'function' &&
    (registrations.series.has(served) || (!isApplication(served) && isContainer(served)));
  const candidates = new Set<unknown>([
    ...(isServed ? [served] : []),
    ...registrations.applications,
    ...registrations.unownedRouters(home),
  ]);
  const roots: LiveNode[] = [];
  for (const candidate of candidates) {
    if (!isBelow(roots, candidate) && !(candidate as { parent?: unknown }).parent)
      roots.push(reader.read(candidate));
  }
  const used = roots.filter(({ children }) => children.some(({ isBuiltIn }) => !isBuiltIn));
  // A router may be mounted in one that was read after it.
  const outermost = used.filter(
    (root) =>
      !isBelow(
        used.filter((one) => one !== root),
        root.application ?? root.router,
      ),
  );
  return outermost.length > 0 ? outermost : roots;
}

function isBelow(roots: readonly LiveNode[], value: unknown): boolean {
  return roots.some((root) =>
    [...walkTree(root)].some(({ application, router }) => application === value || router === value),
  );
}
