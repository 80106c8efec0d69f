/** Records what an application and its databases send to each other, or replies in place of the databases. */
import type { Socket } from 'node:net';
import { interceptConnections } from './connections';
import { postgresql } from './postgresql';
import type { Protocol, Question } from './protocol';
import { bytesOf, type OutgoingRecorder, type OutgoingReplies } from './recording';
import { redis } from './redis';

const PROTOCOLS: readonly Protocol[] = [postgresql, redis];
/** Milliseconds after which a client that sends nothing counts as one that waits for the server to begin, as MySQL does. */
const SILENCE = 5000;
/** The first bytes of TLS and of HTTP, which the interceptor for HTTP records. */
const HTTP = /^[A-Z]+ \S/;
const TLS = 0x16;

export function recordConnections(recorder: OutgoingRecorder): void {
  interceptConnections((client, target, connect) => {
    const server = connect();
    server.on('error', () => client.destroy());
    client.on('close', () => server.destroy());
    server.on('close', () => client.end());
    const isSilent = setTimeout(() => recorder.skip(`${target}: its protocol is unknown`), SILENCE).unref();
    server.on('data', (bytes) => client.write(bytes));
    client.once('data', (first) => {
      clearTimeout(isSilent);
      const protocol = PROTOCOLS.find((one) => one.starts(first));
      if (protocol) return recordProtocol(protocol, first, client, server, recorder);
      if (first[0] !== TLS && !HTTP.test(first.toString('latin1', 0, 16)))
        recorder.skip(`${target}: its protocol is unknown`);
      server.write(first);
      client.on('data', (bytes) => server.write(bytes));
    });
    client.on('end', () => server.end());
  });
}

function recordProtocol(
  protocol: Protocol,
  first: Buffer,
  client: Socket,
  server: Socket,
  recorder: OutgoingRecorder,
): void {
  const connection = protocol.open();
  const waiting: Array<{ text: string; left: number; parts: Buffer[] }> = [];
  const ask = (bytes: Buffer): void => {
    const questions = connection.ask(bytes);
    for (const { text, replies = 1 } of questions) {
      if (text !== undefined) waiting.push({ text, left: replies, parts: [] });
    }
    // A refusal of encryption comes from here, so the server is not asked for it.
    const refused = questions.find(({ fixed }) => fixed !== undefined);
    if (refused?.fixed) client.write(refused.fixed);
    else server.write(bytes);
  };
  server.on('data', (bytes) => {
    for (const reply of connection.reply(bytes)) {
      const [oldest] = waiting;
      if (!oldest) continue;
      oldest.parts.push(reply);
      if (--oldest.left > 0) continue;
      waiting.shift();
      recorder.add(oldest.text, Buffer.concat(oldest.parts));
    }
  });
  client.on('data', ask);
  ask(first);
}

export function replyConnections(replies: OutgoingReplies): void {
  interceptConnections((client, target) => {
    const give = (question: Question): void => {
      if (question.fixed) client.write(question.fixed);
      if (question.text === undefined) return;
      const reply = replies.reply(question.text);
      if (reply) client.write(bytesOf(reply));
      else client.destroy();
    };
    const refuse = (): void => {
      replies.reply(`a connection to ${target}`);
      client.destroy();
    };
    const isSilent = setTimeout(refuse, SILENCE).unref();
    client.on('close', () => clearTimeout(isSilent));
    client.once('data', (first) => {
      clearTimeout(isSilent);
      const protocol = PROTOCOLS.find((one) => one.starts(first));
      if (!protocol) return refuse();
      const connection = protocol.open();
      const ask = (bytes: Buffer): void => connection.ask(bytes).forEach(give);
      client.on('data', ask);
      ask(first);
    });
    client.on('end', () => client.end());
  });
}
