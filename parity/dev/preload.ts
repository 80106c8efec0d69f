/**
 * Runs before the application in a process of `nozomi-parity dev`. It makes the application load Nozomi in place of Express,
 * runs the checks of `nozomi-parity doctor` once the application listens, and prints the mistakes that requests show.
 */
import cluster from 'node:cluster';
import net from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { packageFolderOf } from '../copy-folder';
import type { HttpServer } from '../implementations/load';
import { ownConnectionOf } from '../inspect/connection';
import { Expressions } from '../inspect/expressions';
import { findAll } from '../inspect/findings/findings';
import { observeLibraries, observeListening } from '../inspect/libraries';
import { Pending } from '../inspect/pending';
import { type Methods, Registrations, SERIES } from '../inspect/registrations';
import { replaceFramework } from '../inspect/replace';
import { readRoots, settled } from '../inspect/roots';
import { FRAMES } from '../inspect/sites';
import { Sources } from '../inspect/sources';
import { toData } from '../inspect/tree';
import { tryChanges } from '../inspect/try-changes';
import { loadParser } from '../migrate/parser';
import { REPORTERS } from '../report/findings';
import { Errors } from './errors';
import { observeHandlers } from './handlers';
import { Notes } from './notes';
import { observeResponses } from './responses';

const file = process.env.NOZOMI_DEV ?? '';

// Processes and threads that the application starts inherit the options of Node.js.
if (isMainThread && process.argv[1] === file) observe();

function observe(): void {
  const home = packageFolderOf(file);
  const loaded = replaceFramework();
  const pending = new Pending();
  const registrations = new Registrations(home, false);
  const notes = new Notes();
  const errors = new Errors(notes, home, registrations.listens);
  for (const [name, series] of SERIES) {
    const { response } = require(name) as { response: Methods };
    observeResponses(response, series, notes, () => registrations.siteOfCall());
  }
  observeLibraries(registrations);
  observeListening(registrations);
  // The assignment begins the observation.
  const { prototype } = net.Server;
  const { listen } = prototype;
  let isRead = false;
  prototype.listen = function (this: HttpServer, ...args: unknown[]) {
    if (!isRead && this.listenerCount('request') > 0) {
      isRead = true;
      // The application goes on, whatever the checks meet.
      this.once(
        'listening',
        () => void read(this).catch((error) => console.error('nozomi-parity dev:', error)),
      );
    }
    return Reflect.apply(listen, this, args);
  } as typeof listen;
  // Many frames are those of Nozomi and of the packages of the application.
  Error.stackTraceLimit = FRAMES;
  process.on('uncaughtExceptionMonitor', (error, origin) => errors.uncaught(error, origin));

  async function read(server: HttpServer): Promise<void> {
    await settled(registrations, pending);
    const sources = new Sources(loadParser());
    const roots = readRoots({ server, registrations, home, expressions: new Expressions(sources) });
    // The workers of a cluster have the same mistakes.
    if (!cluster.isWorker || cluster.worker?.id === 1) {
      const application = { roots, server, registrations, loaded, home, file, sources };
      const inspection = {
        roots: roots.map(toData),
        series: roots.map(({ series }) => series),
        match: undefined,
        findings: roots.length > 0 ? await findAll(application) : [],
        ownConnection: ownConnectionOf(application),
      };
      const findings = await tryChanges(inspection, { file, args: process.argv.slice(2), isDoctor: true });
      notes.skip(findings);
      process.stderr.write(`\n${REPORTERS.terminal({ ...inspection, findings }, file)}`);
    }
    observeHandlers(roots, notes, errors);
  }
}
