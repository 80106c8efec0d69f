/**
 * Records the outgoing requests and database connections of an application. `nozomi-parity record --outgoing` preloads
 * this file into its process.
 */
import { isMainThread } from 'node:worker_threads';
import { recordRequests } from './http';
import { OutgoingRecorder } from './recording';
import { recordConnections } from './wires';

const { file, parent } = JSON.parse(process.env.NOZOMI_OUTGOING ?? '{}') as { file: string; parent: number };
// Not processes that the application starts: they would replace the file.
if (isMainThread && process.ppid === parent) {
  const recorder = new OutgoingRecorder(file);
  recordConnections(recorder);
  recordRequests(recorder);
}
