/**
 * Replies to the outgoing requests and database connections of an application. `nozomi-parity --hermetic` preloads this
 * file into its processes.
 */
import { replyRequests } from './http';
import { OutgoingReplies } from './recording';
import { replyConnections } from './wires';

const { file, unknown } = JSON.parse(process.env.NOZOMI_HERMETIC ?? '{}') as {
  file: string;
  unknown: string;
};
const replies = new OutgoingReplies(file, unknown);
replyConnections(replies);
replyRequests(replies);
