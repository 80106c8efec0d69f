/** `nozomi-parity --hermetic` preloads this file into the processes of an application. */
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
