/**
 * The child process of `nozomi-parity routes` and `nozomi-parity doctor`. Its argument is an `Order` as JSON. The process loads the
 * application, reads its tree, runs the checks of `nozomi-parity doctor` if `isDoctor` is set, sends a `Reply` and exits.
 */
import { type Described, toOpenApi } from 'nozomi/openapi';
import { packageFolderOf } from '../copy-folder';
import { type HttpServer, loadApplication, NoServer } from '../implementations/load';
import { loadParser } from '../migrate/parser';
import { ownConnectionOf } from './connection';
import { Expressions } from './expressions';
import { findAll } from './findings/findings';
import { observeLibraries, observeListening } from './libraries';
import type { LiveApplication } from './live';
import { coverageBy, playRequest } from './match';
import type { Inspection, Order, Reply } from './model';
import { Pending } from './pending';
import { isApplication, Registrations } from './registrations';
import { replaceFramework } from './replace';
import { Sources } from './sources';
import { isContainer, type LiveNode, TreeReader, toData, walkTree } from './tree';

/** Milliseconds without a new route or middleware after which the application counts as fully set up. */
const QUIET = 250;
/** Milliseconds that the command waits for timers and connections of the application. */
const LONGEST = 5000;

const order = JSON.parse(process.argv[2] ?? '') as Order;
const home = packageFolderOf(order.file);
const loaded = replaceFramework();
const pending = new Pending();
const registrations = new Registrations(home, order.isDoctor);
if (order.isDoctor) {
  observeLibraries(registrations);
  observeListening(registrations);
}

let isReplied = false;
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
process.on('exit', (code) =>
  fail(new Error(`the application ended with exit code ${code} before it called listen`)),
);
process.on('disconnect', () => process.exit());
void run().then((inspection) => reply({ inspection }), fail);

async function run(): Promise<Inspection> {
  let server: HttpServer | undefined;
  try {
    server = await loadApplication(order.file, order.args);
  } catch (error) {
    // The tree can also be read if the application never calls `listen()`.
    if (!(error instanceof NoServer) || registrations.applications.length === 0) throw error;
  }
  await settled();
  const sources = new Sources(loadParser());
  const roots = readRoots(server, new Expressions(sources));
  registrations.stop();
  if (roots.length === 0) {
    const copies = [...loaded.copies.values()].map(({ version, folder }) => `${version} in ${folder}`);
    throw new TypeError(
      `expected an application of Express 4 or 5 or of Nozomi, got ${
        copies.length > 0 ? `one of version ${copies.join(', ')}` : 'none: is its framework bundled into it?'
      }`,
    );
  }
  const application: LiveApplication = {
    roots,
    server,
    registrations,
    loaded,
    home,
    file: order.file,
    sources,
  };
  const { match } = order;
  const played = match && (await playRequest(roots[0] as LiveNode, match));
  const { requests } = order;
  return {
    roots: roots.map(toData),
    series: roots.map(({ series }) => series),
    match: played,
    openapi: order.openapi && describe(roots[0] as LiveNode, order.openapi),
    coverage: requests && (await coverageBy(roots[0] as LiveNode, requests)),
    findings: order.isDoctor ? await findAll(application) : [],
    ownConnection: ownConnectionOf(application),
  };
}

function describe({ application, router }: LiveNode, options: NonNullable<Order['openapi']>): Described {
  // A cast: the declarations of the tree are only what the commands need.
  return toOpenApi((application ?? router) as never, options);
}

/** Waits until no route was added for a while, and the application waits for nothing that may add one. */
async function settled(): Promise<void> {
  const start = performance.now();
  const isWaiting = (): boolean => !pending.isEmpty && performance.now() - start < LONGEST;
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
function readRoots(server: HttpServer | undefined, expressions: Expressions): LiveNode[] {
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

function fail(error: unknown): void {
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  reply({ failure: message, stack });
}

function reply(message: Reply): void {
  if (isReplied) return;
  isReplied = true;
  process.send?.(message, () => process.exit());
}
