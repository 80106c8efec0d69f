/**
 * Records the HTTP requests that an application sends by node:http, node:https and fetch, or replies to them from a
 * recording. Uses @mswjs/interceptors.
 */
import { BatchInterceptor } from '@mswjs/interceptors';
import { ClientRequestInterceptor } from '@mswjs/interceptors/ClientRequest';
import { FetchInterceptor } from '@mswjs/interceptors/fetch';
import { bytesOf, type OutgoingRecorder, type OutgoingReplies } from './recording';

/** Statuses whose responses have no body. */
const WITHOUT_BODY = [101, 204, 205, 304];

function createInterceptor() {
  return new BatchInterceptor({
    name: 'nozomi-hermetic',
    interceptors: [new ClientRequestInterceptor(), new FetchInterceptor()],
  });
}

export function recordRequests(recorder: OutgoingRecorder): void {
  const interceptor = createInterceptor();
  /** The text of each request: its body can be read only before it is sent. */
  const questions = new Map<string, Promise<string>>();
  interceptor.on('request', ({ request, requestId }) => {
    questions.set(requestId, questionOf(request.clone()));
  });
  interceptor.on('response', async ({ response, requestId, isMockedResponse }) => {
    if (isMockedResponse) return;
    const body = await response.clone().arrayBuffer();
    const question = await questions.get(requestId);
    questions.delete(requestId);
    const headers = [...response.headers].filter(([name]) => !ENCODINGS.has(name));
    if (question) recorder.add(question, new Uint8Array(body), { status: response.status, headers });
  });
  interceptor.apply();
}

/** The body is recorded decoded and complete. */
const ENCODINGS: ReadonlySet<string> = new Set(['content-encoding', 'transfer-encoding', 'content-length']);

export function replyRequests(replies: OutgoingReplies): void {
  const interceptor = createInterceptor();
  interceptor.on('request', async ({ request, controller }) => {
    const reply = replies.reply(await questionOf(request.clone()));
    if (!reply)
      return controller.errorWith(new Error(`--hermetic: no reply to ${request.method} ${request.url}`));
    const { status = 200, headers = [] } = reply;
    const body = WITHOUT_BODY.includes(status) ? null : new Uint8Array(bytesOf(reply));
    controller.respondWith(
      new Response(body, { status, headers: headers.map(([name, value]) => [name, value]) }),
    );
  });
  interceptor.apply();
}

async function questionOf(request: Request): Promise<string> {
  const body = await request.text();
  return `${request.method} ${request.url}${body && ` ${body}`}`;
}
