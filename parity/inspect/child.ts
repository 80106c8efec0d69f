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
import { Registrations } from './registrations';
import { replaceFramework } from './replace';
import { readRoots, settled } from './roots';
import { Sources } from './sources';
import { type LiveNode, toData } from './tree';

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
  await settled(registrations, pending);
  const sources = new Sources(loadParser());
  const roots = readRoots({ server, registrations, home, expressions: new Expressions(sources) });
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

function fail(error: unknown): void {
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  reply({ failure: message, stack });
}

function reply(message: Reply): void {
  if (isReplied) return;
  isReplied = true;
  process.send?.(message, () => process.exit());
}
